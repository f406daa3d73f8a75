import { afterEach, describe, expect, it, vi } from "vitest";
import { roomTagOf } from "../room/room-tag.ts";
import { createFakeCertificate } from "../testing/fake-certificate.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { lockedRoom, newIdentities, newIdentity } from "../testing/locked-room.ts";
import { SealedRooms } from "./sealed-room.ts";

type Knock = ReturnType<Awaited<ReturnType<typeof lockedRoom>>["knock"]>;

/** How many knocking clients learn that their password is wrong, once all have an answer or have given up. */
async function testedBy(knocks: readonly Knock[], clock: FakeClock): Promise<number> {
  const ends = Promise.allSettled(knocks.flatMap(({ greeted, proven }) => [greeted, proven]));
  const learned = Promise.all(
    knocks.map(({ proven }) =>
      proven.then(
        () => false,
        ({ code }: { code: string }) => code === "incorrect-password",
      ),
    ),
  );
  for (let waited = 0; waited < 70; waited++) await clock.advance(1_000);
  await ends;
  return (await learned).filter(Boolean).length;
}

describe("the certificate of a page", () => {
  async function roomsWith(lifetimeMs: number) {
    const clock = new FakeClock();
    const createCertificate = vi.fn(async () => {
      const certificate: RTCCertificate = { expires: clock.now() + lifetimeMs, getFingerprints: () => [] };
      return { certificates: [certificate], fingerprint: new Uint8Array(32) };
    });
    const identity = await newIdentity();
    const rooms = new SealedRooms({ identity, createCertificate, clock, mustProveId: async () => false });
    return { clock, createCertificate, rooms };
  }

  it("is kept where the browser's clock says something else than the page's", async () => {
    const { rooms } = await roomsWith(-1);
    expect(await rooms.certificates()).toBe(await rooms.certificates());
  });

  it("is one for all connections, and another once it has expired", async () => {
    const { clock, createCertificate, rooms } = await roomsWith(1_000);
    const first = await rooms.certificates();
    clock.set(clock.now() + 999);
    expect(await rooms.certificates()).toBe(first);
    clock.set(clock.now() + 1);
    const [second, third] = await Promise.all([rooms.certificates(), rooms.certificates()]);
    expect(second).not.toBe(first);
    expect(third).toBe(second);
    expect(createCertificate).toHaveBeenCalledTimes(2);
  });
});

describe("the password of a room", () => {
  const roomTag = roomTagOf("burrow");

  afterEach(() => void vi.restoreAllMocks());

  it("is hashed once, from when its room is prepared, and a new one with the next room", async () => {
    const hash = vi.spyOn(crypto.subtle, "deriveBits");
    const clock = new FakeClock();
    const createCertificate = async () => createFakeCertificate();
    const identity = await newIdentity();
    const rooms = new SealedRooms({ identity, createCertificate, clock, mustProveId: async () => false });
    rooms.prepare({ roomTag, password: "tidal" });
    rooms.enter({ roomTag, password: "tidal" });
    rooms.enter({ roomTag, password: "tidal" });
    await expect.poll(() => hash.mock.calls.length).toBe(1);
    rooms.enter({ roomTag, password: "other" });
    await expect.poll(() => hash.mock.calls.length).toBe(2);
  });

  it("is hashed again after that failed", async () => {
    vi.spyOn(crypto.subtle, "deriveBits").mockRejectedValueOnce(new Error("not fetched"));
    const { knock } = await lockedRoom();
    const { greeted, proven } = knock(await newIdentity(), "tidal");
    await expect(Promise.all([greeted, proven])).resolves.toBeDefined();
  });
});

describe("admission to a room with a password", () => {
  it("succeeds with the password, without a person's approval", async () => {
    const { asked, knock } = await lockedRoom();
    const { greeted, proven } = knock(await newIdentity(), "tidal");
    await expect(Promise.all([greeted, proven])).resolves.toBeDefined();
    expect(asked).toEqual([]);
  });

  it("requires a person after ten wrong passwords, and exposes nothing to test a password on", async () => {
    const { clock, asked, knock, guessTenTimes, letIn } = await lockedRoom();
    await guessTenTimes();
    expect(asked).toEqual([]);

    const jun = await newIdentity();
    const { greeted, proven, isDeferred } = knock(jun, "tidal");
    let ended = false;
    const note = () => {
      ended = true;
    };
    greeted.then(note, note);
    await clock.advance(10_000);
    expect(asked).toEqual([jun.clientId]);
    expect(isDeferred()).toBe(true);
    expect(ended).toBe(false);
    letIn(jun.clientId);
    await expect(Promise.all([greeted, proven])).resolves.toBeDefined();
  });

  it("is denied when no person answers", async () => {
    const { clock, knock, guessTenTimes } = await lockedRoom();
    await guessTenTimes();
    const { greeted } = knock(await newIdentity(), "tidal");
    const refused = expect(greeted).rejects.toMatchObject({ code: "approval-needed" });
    await clock.advance(60_000);
    await refused;
  });

  it("tests ten passwords of forty simultaneous newcomers", async () => {
    const { clock, asked, knock } = await lockedRoom();
    const knocks = (await newIdentities(40)).map((stranger) => knock(stranger, null));
    const tested = await testedBy(knocks, clock);
    expect(tested).toBe(10);
    // Three at a time, for 15 s each, within a minute.
    expect(asked).toHaveLength(12);
  });

  it("does not exempt clients that were met with another password or none", async () => {
    const { clock, enter, knock } = await lockedRoom({ password: null });
    const guests = await newIdentities(12);
    await Promise.all(
      guests.map((guest) => knock(guest, null)).flatMap(({ greeted, proven }) => [greeted, proven]),
    );
    enter("tidal");
    const tested = await testedBy(
      guests.map((guest) => knock(guest, null)),
      clock,
    );
    expect(tested).toBe(10);
  });

  it("does not reset the budget when a client leaves and joins again", async () => {
    const { clock, asked, enter, knock, guessTenTimes } = await lockedRoom();
    await guessTenTimes();
    enter("tidal");
    const late = await newIdentity();
    const { greeted } = knock(late, null);
    const refused = expect(greeted).rejects.toMatchObject({ code: "approval-needed" });
    await clock.advance(60_000);
    await refused;
    expect(asked).toEqual([late.clientId]);
  });

  it("lets in thirty simultaneous newcomers with the password, without a person's approval", async () => {
    const { asked, knock } = await lockedRoom({ password: "" });
    const knocks = (await newIdentities(30)).map((friend) => knock(friend, ""));
    await expect(
      Promise.all(knocks.flatMap(({ greeted, proven }) => [greeted, proven])),
    ).resolves.toHaveLength(60);
    expect(asked).toEqual([]);
  });

  it("asks nobody where there is no password to guess", async () => {
    const { asked, knock, guessTenTimes } = await lockedRoom({ password: null });
    await guessTenTimes();
    const { greeted, proven } = knock(await newIdentity(), null);
    await expect(Promise.all([greeted, proven])).resolves.toBeDefined();
    expect(asked).toEqual([]);
  });

  it("succeeds with a greeter that starts again", async () => {
    const { knock } = await lockedRoom();
    const { greeted, greetAgain, proven } = knock(await newIdentity(), "tidal");
    greeted.catch(() => {});
    await expect(Promise.all([greetAgain(), proven])).resolves.toBeDefined();
  });

  it("succeeds on the second visit for a client that a person let in too late for its first", async () => {
    const { clock, asked, knock, letIn } = await lockedRoom();
    const guesses = (await newIdentities(10)).map((stranger) => knock(stranger, null));
    const guessed = Promise.allSettled(guesses.flatMap(({ greeted, proven }) => [greeted, proven]));
    await clock.advance(0);
    const jun = await newIdentity();
    const { greeted } = knock(jun, "tidal");
    const gone = expect(greeted).rejects.toMatchObject({ code: "connection-closed" });
    // A person is asked once the guesses have expired, and the server turns the client away 60 s after it joined.
    await clock.advance(61_000);
    await guessed;
    expect(asked).toEqual([jun.clientId]);
    letIn(jun.clientId);
    await gone;
    const again = knock(jun, "tidal");
    await expect(Promise.all([again.greeted, again.proven])).resolves.toBeDefined();
  });
});
