import { beforeEach, describe, expect, it } from "vitest";
import { Outbox } from "./outbox.ts";
import { ManualClock } from "./testing/manual-clock.ts";

/** A socket whose client reads only when told to. */
class SlowSocket {
  readonly OPEN = 1;
  readonly readyState = 1;
  bufferedAmount = 0;
  /** As with a client's socket, each pause needs a resume of its own. */
  #pauses = 0;
  #flushed: (() => void)[] = [];

  send(frame: string, onFlushed?: () => void): void {
    this.bufferedAmount += frame.length;
    if (onFlushed) this.#flushed.push(onFlushed);
  }

  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  pause(): void {
    this.#pauses += 1;
  }

  resume(): void {
    this.#pauses -= 1;
  }

  readAll(): void {
    this.bufferedAmount = 0;
    for (const flushed of this.#flushed.splice(0)) flushed();
  }
}

describe("Outbox", () => {
  let clock: ManualClock;
  let socket: SlowSocket;
  let outbox: Outbox;
  beforeEach(() => {
    clock = new ManualClock();
    socket = new SlowSocket();
    outbox = new Outbox(socket, clock);
  });
  const send = (kib: number) => outbox.send("x".repeat(kib * 1024));

  it("keeps reading while at most 256 KiB are buffered", () => {
    send(256);
    clock.advance(60_000);
    expect({ isPaused: socket.isPaused, isTooSlow: outbox.isTooSlow }).toEqual({
      isPaused: false,
      isTooSlow: false,
    });
  });

  it("stops reading a slow client until it has caught up", () => {
    send(257);
    send(1);
    send(1);
    expect(socket.isPaused).toBe(true);
    clock.advance(9_999);
    socket.readAll();
    expect(socket.isPaused).toBe(false);
    clock.advance(60_000);
    expect(outbox.isTooSlow).toBe(false);
  });

  it("disconnects a client that is behind for 10 s", () => {
    send(257);
    clock.advance(9_999);
    expect(outbox.isTooSlow).toBe(false);
    clock.advance(1);
    expect(outbox.isTooSlow).toBe(true);
  });

  it("disconnects a client at once when more than 1 MiB is buffered", () => {
    expect([send(1024), send(1)]).toEqual([true, false]);
  });

  it("continues to read once closed, to receive the close frame", () => {
    send(257);
    outbox.close();
    clock.advance(60_000);
    expect({ isPaused: socket.isPaused, isTooSlow: outbox.isTooSlow }).toEqual({
      isPaused: false,
      isTooSlow: false,
    });
  });
});
