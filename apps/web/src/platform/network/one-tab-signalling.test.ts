import type { SignallingBackend, SignallingClient } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeLocks } from "../../testing/fake-locks.ts";
import { OneTabSignalling } from "./one-tab-signalling.ts";
import { RoomLock } from "./room-lock.ts";

type Seat = Parameters<SignallingBackend["createClient"]>[0];
type Status = Parameters<Parameters<SignallingClient["listenForStatus"]>[0]>[0];

const seat: Seat = {
  roomTag: "tag",
  clientId: "00000000-0000-4000-8000-000000000001",
  locked: false,
  prove: async () => {},
  greet: async () => {},
};

let locks: LockManager | undefined;
let statusOf: (status: Status) => void;
const client = {
  self: { clientId: seat.clientId, order: 1 },
  listenForStatus: (callback: (status: Status) => void) => {
    statusOf = callback;
    return () => {};
  },
  destroy: vi.fn(),
} as unknown as SignallingClient;

/** Shared by the tabs. */
const stored = new Map<string, string>();
const lock = () =>
  new RoomLock({
    locks,
    storage: {
      read: (key) => stored.get(key) ?? null,
      write: (key, value) => void stored.set(key, value),
      remove: (key) => void stored.delete(key),
    },
    roomId: () => "harbour",
  });

const tab = (createClient: SignallingBackend["createClient"] = async () => client, its = lock()) =>
  new OneTabSignalling({ createClient }, its);

const timeout = { timeout: 15_000 };
const replaced = { code: "signalling-replaced" };

beforeEach(() => {
  stored.clear();
  vi.mocked(client.destroy).mockClear();
  locks = fakeLocks();
});

describe("one tab of a browser", () => {
  it("is in a room; another is refused first, and takes over when it takes over", async () => {
    const [first, second] = [tab(), tab()];
    await first.createClient(seat);
    await expect(second.createClient(seat)).rejects.toMatchObject(replaced);
    expect((await second.createClient(seat)).self.order).toBe(1);
    await expect(tab().createClient(seat)).rejects.toMatchObject(replaced);
    expect((await first.createClient(seat)).self.order).toBe(1);
  });

  it("prepares while the lock is requested, and discards that if another tab stays in the room", async () => {
    const steps: string[] = [];
    const preparation = { start: () => steps.push("start"), discard: () => steps.push("discard") };
    const backend = {
      createClient: async () => {
        steps.push("create");
        return client;
      },
    };
    const joining = new OneTabSignalling(backend, lock(), preparation).createClient(seat);
    expect(steps).toEqual(["start"]);
    await joining;
    expect(steps).toEqual(["start", "create"]);
    const second = new OneTabSignalling(backend, lock(), preparation);
    await expect(second.createClient(seat)).rejects.toMatchObject(replaced);
    expect(steps).toEqual(["start", "create", "start", "discard"]);
  });

  it("takes over at the first attempt if the user takes over, knowing of the other tab", async () => {
    await tab().createClient(seat);
    const told = lock();
    told.takeOver();
    await expect(tab(undefined, told).createClient(seat)).rejects.toMatchObject(replaced);
    told.takeOver();
    expect(await tab(undefined, told).createClient(seat)).toBeDefined();
  });

  it("releases the room when it leaves, is removed or could not join", async () => {
    const left = await tab().createClient(seat);
    left.destroy();
    expect(client.destroy).toHaveBeenCalled();
    await vi.waitFor(() => tab().createClient(seat), timeout);
    statusOf({ status: "closed", error: new WarrenError("signalling-replaced") });
    const full = tab(() => Promise.reject(new WarrenError("room-full")));
    await vi.waitFor(
      () => expect(full.createClient(seat)).rejects.toMatchObject({ code: "room-full" }),
      timeout,
    );
    await vi.waitFor(() => tab().createClient(seat), timeout);
  });

  it("meets people nearby; another does not take over by itself, but when it takes over", async () => {
    const nearby = { ...seat, nearby: true };
    const statuses: Status[] = [];
    const first = await tab().createClient(nearby);
    first.listenForStatus((status) => statuses.push(status));
    const its = lock();
    const second = tab(undefined, its);
    await expect(second.createClient(nearby)).rejects.toMatchObject(replaced);
    await expect(second.createClient(nearby)).rejects.toMatchObject(replaced);
    expect(its.other.getState()).toEqual({ status: "nearby" });
    expect(statuses).toEqual([]);
    its.takeOver();
    await second.createClient(nearby);
    await vi.waitFor(() => expect(statuses).toMatchObject([{ status: "closed", error: replaced }]), timeout);
    expect(client.destroy).toHaveBeenCalledTimes(1);
  });

  it("that meets people nearby gives way to a room of another, and never the other way round", async () => {
    const nearby = { ...seat, nearby: true };
    const statuses: Status[] = [];
    (await tab().createClient(nearby)).listenForStatus((status) => statuses.push(status));
    const second = tab();
    await second.createClient(seat);
    await vi.waitFor(() => expect(statuses).toMatchObject([{ status: "closed", error: replaced }]), timeout);
    const third = tab();
    await expect(third.createClient(nearby)).rejects.toMatchObject(replaced);
    await expect(third.createClient(nearby)).rejects.toMatchObject(replaced);
  });

  it("joins a room after it has met people nearby, which end then as asked", async () => {
    const own = tab();
    const statuses: Status[] = [];
    const near = await own.createClient({ ...seat, nearby: true });
    near.listenForStatus((status) => statuses.push(status));
    near.destroy();
    expect(await own.createClient(seat)).toBeDefined();
    expect(statuses).toEqual([]);
    await expect(tab().createClient(seat)).rejects.toMatchObject(replaced);
  });

  it("joins a room over another way at once after it has left one", async () => {
    const its = lock();
    const met = await tab(undefined, its).createClient(seat);
    met.destroy();
    expect((await tab(undefined, its).createClient(seat)).self.order).toBe(1);
  });

  it("joins without asking if a browser has no locks", async () => {
    locks = undefined;
    await tab().createClient(seat);
    expect(await tab().createClient(seat)).toBeDefined();
  });
});
