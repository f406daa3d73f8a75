import { type ClientId, WarrenError } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SealedRooms } from "../../sealed/sealed-room.ts";
import { systemClock } from "../../shared/system-clock.ts";
import { describeSignallingBackend } from "../../testing/contracts/describe-signalling-backend.ts";
import { createFakeCertificate } from "../../testing/fake-certificate.ts";
import { FirebasePages, roomTag } from "../../testing/firebase/firebase-pages.ts";
import { newIdentity } from "../../testing/locked-room.ts";
import { sampleBox } from "../../testing/sample-box.ts";

const ann: ClientId = "00000000-0000-4000-8000-00000000000a";
const ben: ClientId = "00000000-0000-4000-8000-00000000000b";
const cem: ClientId = "00000000-0000-4000-8000-00000000000c";

const patient = { timeout: 30_000 };

describeSignallingBackend("firebase", async () => {
  const pages = new FirebasePages();
  await pages.open();
  return { page: () => pages.page(), close: () => pages.close() };
});

describe("signalling over firebase", () => {
  let pages: FirebasePages;
  beforeEach(async () => {
    pages = new FirebasePages();
    await pages.open();
  });
  afterEach(() => pages.close());

  it("reports to the others that a client lost its connection, and stores nothing more of it", async () => {
    const [first, second] = [await pages.enter({ clientId: ann }), await pages.enter({ clientId: ben })];
    const members = pages.membersOf(first);
    await vi.waitFor(() => expect(members).toEqual([ben]));
    first.createSender(ben).sendSignal(sampleBox("offer", "never read"));
    second.listenForStatus(({ status }) => status === "reconnecting" && second.destroy());
    pages.double.drop(pages.accountOf(ben));
    await vi.waitFor(() => expect(members).toEqual([]));
    expect(Object.keys(pages.stored("open", "seats") ?? {})).toHaveLength(1);
    first.destroy();
    await vi.waitFor(() => expect(pages.double.database.peek("rooms")).toBeNull());
    await vi.waitFor(() => expect(pages.double.connected).toEqual([]));
  });

  it("takes a seat again after losing its connection, keeps the known members and sends queued signals", async () => {
    const [first, second] = [await pages.enter({ clientId: ann }), await pages.enter({ clientId: ben })];
    const statuses = pages.statusesOf(first);
    const left = vi.fn();
    first.listenForLeave(left);
    const received = vi.fn();
    second.createSender(ann).listenForSignal(received);
    const toBen = first.createSender(ben);
    pages.double.drop(pages.accountOf(ann));
    await vi.waitFor(() => expect(statuses).toContain("reconnecting")); // it may be online again already
    toBen.sendSignal(sampleBox("offer", "waiting"));
    await vi.waitFor(() => expect(statuses.at(-1)).toBe("online"), patient);
    await vi.waitFor(() => expect(received).toHaveBeenCalledWith(sampleBox("offer", "waiting")), patient);
    expect(left).not.toHaveBeenCalled();
  });

  it("finds all members again after an outage of the database", async () => {
    const clients = [await pages.enter({ clientId: ann }), await pages.enter({ clientId: ben })] as const;
    const members = clients.map((client) => pages.membersOf(client));
    await pages.double.stop();
    await pages.double.start();
    await vi.waitFor(
      () => expect(Object.keys(pages.stored("open", "members") ?? {})).toHaveLength(2),
      patient,
    );
    await vi.waitFor(() => expect(members).toEqual([[ben], [ann]]), patient);
  });

  it("takes its seat again after somebody removed it", async () => {
    const first = await pages.enter({ clientId: ann });
    const statuses = pages.statusesOf(first);
    const account = pages.accountOf(ann);
    pages.double.erase("rooms");
    await vi.waitFor(() => expect(statuses).toEqual(["online", "reconnecting", "online"]));
    expect(pages.accountOf(ann)).toBe(account);
  });

  it("removes members that have not renewed their seat for three minutes", async () => {
    const other = "00000000-0000-4000-8000-00000000000e";
    const now = pages.double.database.now();
    pages.double.database.seed(`rooms/${roomTag}/locked`, {
      seats: { 4: { uid: "gone", at: now - 190_000 } },
      members: { gone: { id: other, order: 1, seat: "4", visit: other } },
    });
    const client = await pages.enter({ clientId: ann });
    expect(pages.membersOf(client)).toEqual([]);
    expect(pages.double.database.peek(`rooms/${roomTag}/locked`)).toBeNull();
  });

  it("renews its seat when waking, and removes members that left meanwhile", async () => {
    await pages.enter({ clientId: ann });
    const uid = pages.accountOf(ann);
    const renewedAt = () =>
      Object.values(pages.stored("open", "seats") ?? {}).find((seat) => seat.uid === uid)?.at;
    const before = Number(renewedAt());
    const free = pages.stored("open", "seats")?.["31"] === undefined ? "31" : "30";
    pages.double.database.seed(`rooms/${roomTag}/open/seats/${free}`, { uid: "gone", at: before - 190_000 });
    pages.wake();
    await vi.waitFor(() => expect(Number(renewedAt())).toBeGreaterThan(before));
    await vi.waitFor(() => expect(Object.keys(pages.stored("open", "seats") ?? {})).toHaveLength(1));
  });

  it("reports a room that is full, of the other kind, or has a member with our id", async () => {
    const now = pages.double.database.now();
    const seats = Object.fromEntries(
      Array.from({ length: 32 }, (_, seat) => [seat, { uid: `account ${seat}`, at: now }]),
    );
    pages.double.database.seed(`rooms/${"f".repeat(43)}/open`, { seats });
    await expect(pages.enter({ clientId: ann, roomTag: "f".repeat(43) })).rejects.toMatchObject({
      code: "room-full",
    });
    await pages.enter({ clientId: ann });
    await expect(pages.enter({ clientId: ben, locked: true })).rejects.toMatchObject({
      code: "room-is-open",
    });
    await expect(pages.enter({ clientId: ann })).rejects.toMatchObject({ code: "signalling-replaced" });
    await vi.waitFor(() => expect(Object.keys(pages.stored("open", "seats") ?? {})).toHaveLength(1));
  });

  it("reports that the database does not answer", async () => {
    const page = pages.page();
    await pages.double.stop();
    await expect(pages.enter({ clientId: ann }, page)).rejects.toMatchObject({
      code: "signalling-unreachable",
    });
    await pages.double.start();
    expect((await pages.enter({ clientId: ann }, page)).self.clientId).toBe(ann);
  });

  it("stops when it is cancelled", async () => {
    const calling = new AbortController();
    const entering = pages.enter({ clientId: ann, calledOff: calling.signal });
    calling.abort();
    await expect(entering).rejects.toMatchObject({ code: "connection-closed" });
    await vi.waitFor(() => expect(pages.double.connected).toEqual([]));
    expect(pages.double.database.peek("rooms")).toBeNull();
  });

  describe("in a locked room", () => {
    const lockedSeat = async (password: string) => {
      const identity = await newIdentity();
      const rooms = new SealedRooms({
        identity,
        createCertificate: async () => createFakeCertificate(),
        clock: systemClock,
        mustProveId: async () => false,
      });
      const { locked, prove, greet } = rooms.enter({ roomTag, password });
      return { clientId: identity.clientId, locked, prove, greet };
    };

    it("admits a newcomer that proves the password to a member, and shows the members to nobody else", async () => {
      const first = await pages.enter(await lockedSeat("tidal"));
      const members = pages.membersOf(first);
      const guesser = await lockedSeat("wrong");
      await expect(pages.enter(guesser)).rejects.toMatchObject({ code: "incorrect-password" });
      expect(members).toEqual([]);
      const friend = await lockedSeat("tidal");
      const waiting = vi.fn();
      const second = await pages.enter({ ...friend, onWaiting: waiting });
      expect(second.self.order).toBeGreaterThan(first.self.order);
      await vi.waitFor(() => expect(members).toEqual([friend.clientId]));
      expect(waiting).toHaveBeenLastCalledWith(false);
      expect(pages.stored("locked", "door")).toBeNull();
      await expect(pages.enter({ clientId: cem })).rejects.toMatchObject({ code: "password-required" });
    });

    it("lets the next member greet a newcomer whose greeter leaves", async () => {
      const admitting = { locked: true, greet: async () => {} };
      const greet = vi.fn<() => Promise<void>>().mockResolvedValueOnce();
      await pages.enter({ clientId: ann, locked: true, greet });
      await pages.enter({ clientId: ben, ...admitting });
      greet.mockReturnValue(new Promise(() => {}));
      const entering = pages.enter({ clientId: cem, ...admitting });
      await vi.waitFor(() => expect(greet).toHaveBeenCalledTimes(2));
      pages.double.drop(pages.accountOf(ann, "locked"));
      expect((await entering).self.clientId).toBe(cem);
    });

    it("reports to a newcomer that a person decides, and that the person refused", async () => {
      const greet = async (_newcomer: unknown, onDeferred: () => void) => {
        onDeferred();
        throw new WarrenError("approval-needed");
      };
      await pages.enter({ clientId: ann, locked: true, greet });
      const onWaiting = vi.fn();
      await expect(pages.enter({ clientId: ben, locked: true, onWaiting })).rejects.toMatchObject({
        code: "not-admitted",
      });
      expect(onWaiting).toHaveBeenCalledWith(true);
      await vi.waitFor(() => expect(pages.stored("locked", "door")).toBeNull());
    });

    it("lets the newcomer open the room after all members left", async () => {
      const first = await pages.enter({ clientId: ann, locked: true, greet: () => new Promise(() => {}) });
      const entering = pages.enter({ clientId: ben, locked: true });
      await vi.waitFor(() => expect(pages.stored("locked", "door")).not.toBeNull());
      first.destroy();
      expect((await entering).self.clientId).toBe(ben);
    });
  });
});
