import { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { CancelTimer, Clock } from "../clock.ts";
import { endsOf, readSendQueues, type SendQueue, type SocketEnds } from "./send-queues.ts";

const kib = 1024;
const mib = 1024 * kib;

/** What is sent at a time. */
export const pieceBytes = 32 * kib;
/** A client that reads nothing for this long is gone: longer than networks take to recover. */
export const stalledAfterMs = 30_000;
/** Bounds on what all connections together leave unread. */
const total = {
  /** From here on, a connection gets no further piece while it has not read the one before. */
  scarce: 16 * mib,
  /** If more is unread for {@link relievedAfterMs}, connections end until no more than this is left. */
  tooMuch: 48 * mib,
  /** From here on, nobody gets a further piece. */
  full: 64 * mib,
};
const relievedAfterMs = 2_000;
/** How often it is measured: while a piece waits, while a connection ends or much is unread, and otherwise. */
const measuredEveryMs = { waiting: 100, busy: 1_000, calm: 10_000 };

/** What is asked of a socket. */
export type ReaderSocket = SocketEnds & Pick<Socket, "bytesWritten" | "writableLength" | "destroyed">;

/** A connection that is sent something. */
export interface Reader {
  readonly socket: ReaderSocket;
  /** Those of one address end before those of others. */
  readonly address: string;
  /** Closes it and drops what it has not read. */
  readonly end: () => void;
}

/** The unread bytes of each connection and of all. */
class Tally {
  total = 0;
  readonly #own = new WeakMap<ReaderSocket, number>();

  of(socket: ReaderSocket): number {
    return this.#own.get(socket) ?? 0;
  }

  add(bytes: number, socket?: ReaderSocket): void {
    this.total += bytes;
    if (socket) this.#own.set(socket, this.of(socket) + bytes);
  }
}

/**
 * Bytes that were sent and not acknowledged, of each connection and of all. The system takes up to 4 MiB for a connection
 * that reads nothing, which Node counts as written, and keeps them for minutes after it was closed. So its send queues are
 * measured from time to time, and what was sent since counts as unread. Where the system does not show them, only what
 * Node holds counts.
 */
export class UnreadBytes {
  readonly #clock: Clock;
  readonly #readQueues: typeof readSendQueues;
  readonly #ports = new Set<number>();
  readonly #sources: (() => Iterable<Reader>)[] = [];
  /** As measured last, and sent since. */
  #tally = new Tally();
  /** Sent since the measurement in progress began. */
  #next: Tally | undefined;
  /** Connections that were sent their last byte. */
  readonly #ending = new Map<ReaderSocket, () => void>();
  /** How much each connection had read when it last read something, and when that was. */
  readonly #progress = new WeakMap<ReaderSocket, { readonly read: number; readonly at: number }>();
  #waiting: (() => void)[] = [];
  #tooMuchSince: number | undefined;
  #isClosed = false;
  #plan: { readonly at: number; readonly cancel: CancelTimer } | undefined;

  constructor(clock: Clock, readQueues = readSendQueues) {
    this.#clock = clock;
    this.#readQueues = readQueues;
  }

  /** Counts the connections to this port. */
  serves(port: number): void {
    this.#ports.add(port);
  }

  watch(readers: () => Iterable<Reader>): void {
    this.#sources.push(readers);
  }

  /** Counts bytes that cannot wait. */
  sent(bytes: number): void {
    this.#add(bytes);
  }

  /**
   * Waits until a connection may be sent this much, and counts it.
   * @param isUrgent does not wait for what others leave unread: only for small answers
   */
  async reserve(socket: ReaderSocket, bytes: number, isUrgent = false): Promise<void> {
    while (!this.#isClosed && !socket.destroyed && !this.#fits(socket, isUrgent)) {
      const measured = new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.#measureWithin(measuredEveryMs.waiting);
      await measured;
    }
    this.#add(bytes, socket);
  }

  /** Waits until a connection that was sent its last byte has read it, or was closed because it reads nothing. */
  allRead(socket: ReaderSocket): Promise<void> {
    this.#measureWithin(measuredEveryMs.busy);
    return new Promise((resolve) => this.#ending.set(socket, resolve));
  }

  close(): void {
    this.#isClosed = true;
    this.#plan?.cancel();
    this.#wake();
  }

  #fits(socket: ReaderSocket, isUrgent: boolean): boolean {
    const hasReadMost = this.#tally.of(socket) < pieceBytes;
    if (isUrgent) return hasReadMost;
    return this.#tally.total < (hasReadMost ? total.full : total.scarce);
  }

  #add(bytes: number, socket?: ReaderSocket): void {
    this.#tally.add(bytes, socket);
    this.#next?.add(bytes, socket);
    this.#measureWithin(this.#tally.total < total.scarce ? measuredEveryMs.calm : measuredEveryMs.busy);
  }

  #measureWithin(delayMs: number): void {
    const at = this.#clock.elapsedMs() + delayMs;
    if (this.#isClosed || this.#next || (this.#plan && this.#plan.at <= at)) return;
    this.#plan?.cancel();
    this.#plan = { at, cancel: this.#clock.after(delayMs, () => void this.#measure()) };
  }

  async #measure(): Promise<void> {
    this.#plan = undefined;
    const next = new Tally();
    this.#next = next;
    const behind = this.#count((await this.#readQueues()) ?? [], next);
    this.#tally = next;
    this.#next = undefined;
    this.#endStalled(behind);
    this.#relieve(behind);
    this.#finish();
    this.#wake();
    const isBusy = next.total >= total.scarce || this.#ending.size > 0;
    if (isBusy || next.total > 0) this.#measureWithin(isBusy ? measuredEveryMs.busy : measuredEveryMs.calm);
  }

  /** Adds what is unread to the tally. @returns how much that is of each connection that has read less than it was sent */
  #count(queues: readonly SendQueue[], tally: Tally): Map<Reader, number> {
    const ours = queues.filter(({ localPort }) => this.#ports.has(localPort));
    const byEnds = new Map(ours.map(({ ends, bytes }) => [ends, bytes]));
    const remotePorts = new Set(ours.map(({ remotePort }) => remotePort));
    const behind = new Map<Reader, number>();
    for (const readers of this.#sources) {
      for (const reader of readers()) {
        const { socket } = reader;
        // Few of thousands of connections have a queue, and an address takes long to write as the system does.
        const ends = remotePorts.has(socket.remotePort ?? 0) ? endsOf(socket) : "";
        const bytes = (byEnds.get(ends) ?? 0) + socket.writableLength;
        byEnds.delete(ends);
        if (bytes === 0) continue;
        tally.add(bytes, socket);
        behind.set(reader, bytes);
      }
    }
    // Those of closed connections.
    for (const bytes of byEnds.values()) tally.add(bytes);
    return behind;
  }

  #endStalled(behind: ReadonlyMap<Reader, number>): void {
    const now = this.#clock.elapsedMs();
    for (const [{ socket, end }, bytes] of behind) {
      const read = socket.bytesWritten - bytes;
      const before = this.#progress.get(socket);
      if (!before || before.read < read) this.#progress.set(socket, { read, at: now });
      else if (now >= before.at + stalledAfterMs) end();
    }
  }

  /** Ends connections if too much is unread: those of the address with most first, and of these those with most. */
  #relieve(behind: ReadonlyMap<Reader, number>): void {
    const now = this.#clock.elapsedMs();
    let excess = this.#tally.total - total.tooMuch;
    this.#tooMuchSince = excess > 0 ? (this.#tooMuchSince ?? now) : undefined;
    if (this.#tooMuchSince === undefined || now < this.#tooMuchSince + relievedAfterMs) return;
    const ofAddress = new Map<string, number>();
    for (const [{ address }, bytes] of behind) ofAddress.set(address, (ofAddress.get(address) ?? 0) + bytes);
    const most = [...behind].sort(
      ([one, ofOne], [other, ofOther]) =>
        (ofAddress.get(other.address) ?? 0) - (ofAddress.get(one.address) ?? 0) || ofOther - ofOne,
    );
    for (const [{ end }, bytes] of most) {
      if (excess <= 0) return;
      excess -= bytes;
      end();
    }
  }

  #finish(): void {
    for (const [socket, resolve] of this.#ending) {
      if (!socket.destroyed && this.#tally.of(socket) > 0) continue;
      this.#ending.delete(socket);
      resolve();
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/**
 * Closes a connection and drops what the other end has not read. Otherwise the system keeps that for minutes, in case it
 * is read after all.
 */
export function reset(socket: Socket): void {
  // TLS has no way to do this but through the socket beneath it, which Node does not expose.
  const raw: unknown = socket instanceof TLSSocket ? Reflect.get(socket, "_parent") : socket;
  if (raw instanceof Socket && !raw.destroyed) raw.resetAndDestroy();
  socket.destroy();
}
