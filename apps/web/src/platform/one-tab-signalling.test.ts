import type { SignallingBackend, SignallingClient } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { OneTabSignalling } from "./one-tab-signalling.ts";

type Seat = Parameters<SignallingBackend["createClient"]>[0];
type Status = Parameters<Parameters<SignallingClient["listenForStatus"]>[0]>[0];

const seat: Seat = {
  roomTag: "tag",
  clientId: "00000000-0000-4000-8000-000000000001",
  locked: false,
  prove: async () => {},
  greet: async () => {},
};

/** The lock manager that all tabs of a browser share, as far as one lock of one name goes. */
class FakeLocks {
  #steal: (() => void) | null = null;

  request(_name: string, options: LockOptions, callback: (lock: Lock | null) => unknown): Promise<unknown> {
    if (this.#steal && !options.steal) return Promise.resolve(callback(null));
    this.#steal?.();
    return new Promise((resolve, reject) => {
      const steal = () => reject(new DOMException("stolen", "AbortError"));
      this.#steal = steal;
      void Promise.resolve(callback({ name: "", mode: "exclusive" })).then((value) => {
        if (this.#steal === steal) this.#steal = null;
        resolve(value);
      });
    });
  }
}

let locks: LockManager;
let statusOf: (status: Status) => void;
const client = {
  self: { clientId: seat.clientId, order: 1 },
  listenForStatus: (callback: (status: Status) => void) => {
    statusOf = callback;
    return () => {};
  },
  destroy: vi.fn(),
} as unknown as SignallingClient;

const tab = (createClient: SignallingBackend["createClient"] = async () => client) =>
  new OneTabSignalling({ createClient }, locks);

const patient = { timeout: 15_000 };
const replaced = { code: "signalling-replaced" };

beforeEach(() => {
  // Only what is asked of it here.
  locks = new FakeLocks() as unknown as LockManager;
});

describe("one tab of a browser", () => {
  it("is in a room; another gives way to it first, and takes its place when asked again", async () => {
    const [first, second] = [tab(), tab()];
    await first.createClient(seat);
    await expect(second.createClient(seat)).rejects.toMatchObject(replaced);
    expect((await second.createClient(seat)).self.order).toBe(1);
    await expect(tab().createClient(seat)).rejects.toMatchObject(replaced);
    expect((await first.createClient(seat)).self.order).toBe(1);
  });

  it("frees the place when it leaves, is sent away or could not enter", async () => {
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

  it("is let in without asking where a browser has no locks", async () => {
    const backend = new OneTabSignalling({ createClient: async () => client }, undefined);
    expect(await backend.createClient(seat)).toBeDefined();
  });
});
