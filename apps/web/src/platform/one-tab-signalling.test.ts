import type { SignallingBackend, SignallingClient } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeLocks } from "../testing/fake-locks.ts";
import { OneTabSignalling } from "./one-tab-signalling.ts";
import { RoomPlace } from "./room-place.ts";

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

const place = () =>
  new RoomPlace({
    locks,
    storage: { read: () => null, write: () => {}, remove: () => {} },
    roomId: () => "harbour",
  });

const tab = (createClient: SignallingBackend["createClient"] = async () => client, its = place()) =>
  new OneTabSignalling({ createClient }, its);

const patient = { timeout: 15_000 };
const replaced = { code: "signalling-replaced" };

beforeEach(() => {
  locks = fakeLocks();
});

describe("one tab of a browser", () => {
  it("is in a room; another is refused first, and takes over when it insists", async () => {
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
    const joining = new OneTabSignalling(backend, place(), preparation).createClient(seat);
    expect(steps).toEqual(["start"]);
    await joining;
    expect(steps).toEqual(["start", "create"]);
    const second = new OneTabSignalling(backend, place(), preparation);
    await expect(second.createClient(seat)).rejects.toMatchObject(replaced);
    expect(steps).toEqual(["start", "create", "start", "discard"]);
  });

  it("takes over at the first attempt if the user insists, knowing of the other tab", async () => {
    await tab().createClient(seat);
    const told = place();
    told.insist();
    await expect(tab(undefined, told).createClient(seat)).rejects.toMatchObject(replaced);
    told.insist();
    expect(await tab(undefined, told).createClient(seat)).toBeDefined();
  });

  it("releases the room when it leaves, is removed or could not join", async () => {
    const left = await tab().createClient(seat);
    left.destroy();
    expect(client.destroy).toHaveBeenCalled();
    await vi.waitFor(() => tab().createClient(seat), patient);
    statusOf({ status: "closed", error: new WarrenError("signalling-replaced") });
    const full = tab(() => Promise.reject(new WarrenError("room-full")));
    await vi.waitFor(
      () => expect(full.createClient(seat)).rejects.toMatchObject({ code: "room-full" }),
      patient,
    );
    await vi.waitFor(() => tab().createClient(seat), patient);
  });

  it("joins without asking if a browser has no locks", async () => {
    locks = undefined;
    await tab().createClient(seat);
    expect(await tab().createClient(seat)).toBeDefined();
  });
});
