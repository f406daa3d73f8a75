import { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { CancelTimer, Clock } from "../clock.ts";
import { endsOf, readSendQueues, type SendQueue } from "./send-queues.ts";

const kib = 1024;
const mib = 1024 * kib;

/** What is sent at a time. */
export const pieceBytes = 32 * kib;
/** All connections together hold no more than this; a further piece waits. */
const totalMax = 64 * mib;
/** From here on, connections that stopped reading end until no more than {@link relievedTotal} is left. */
const pressedTotal = 56 * mib;
const relievedTotal = 48 * mib;
/** While all together hold more than this, a connection with as much as a piece gets no further one. */
const easyTotal = 16 * mib;
/** How often connections are looked at: while somebody waits, while one ends or much is unread, and otherwise. */
const lookEveryMs = { pressed: 100, busy: 1_000, calm: 10_000 };
/** Longer than networks take to recover. */
const stalledMs = 30_000;
/** The same under pressure. */
const stalledPressedMs = 2_000;
/** After so much pressure, those who hold most end even if they read. */
const pressedMaxMs = 4_000;
/** How long a connection that ends may take to read something. */
const endWithinMs = 10_000;

/** What is asked of a socket. */
export type ReaderSocket = Pick<
  Socket,
  "localPort" | "remotePort" | "remoteAddress" | "bytesWritten" | "writableLength" | "destroyed"
>;

/** A connection that is sent something. */
export interface Reader {
  readonly socket: ReaderSocket;
  /** Those of one address end before those of others. */
  readonly address: string;
  /** Closes it; {@link reset} drops what it has not read. */
  readonly end: () => void;
}

/** A reader with unread bytes. */
interface Behind extends Reader {
  readonly bytes: number;
  /** For how long it has read nothing. */
  readonly stalledMs: number;
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
 * that reads nothing, of which Node knows nothing, and keeps them for minutes after it was closed. So its queues are looked
 * at from time to time, and what was sent since counts as unread. Where the system does not tell, only what Node holds
 * counts.
 */
export class UnreadBytes {
  readonly #clock: Clock;
  readonly #queues: () => Promise<readonly SendQueue[] | undefined>;
  readonly #ports = new Set<number>();
  readonly #sources: (() => Iterable<Reader>)[] = [];
  /** As of the last look, and sent since. */
  #now = new Tally();
  /** Sent since the look in progress began. */
  #next: Tally | undefined;
  readonly #ending = new Map<ReaderSocket, (hasRead: boolean) => void>();
  /** How much each connection had read when it last read something, and when that was. */
  readonly #progress = new WeakMap<ReaderSocket, { readonly read: number; readonly at: number }>();
  #waiting: (() => void)[] = [];
  #pressedSince: number | undefined;
  #isClosed = false;
  #plan: { readonly at: number; readonly cancel: CancelTimer } | undefined;

  constructor(clock: Clock, queues = readSendQueues) {
    this.#clock = clock;
    this.#queues = queues;
  }

  /** Looks at connections of this port. */
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
   * @param comesFirst although others wait: only for answers that are small
   */
  async room(socket: ReaderSocket, bytes: number, comesFirst = false): Promise<void> {
    while (!this.#isClosed && !socket.destroyed && !this.#hasRoom(socket, comesFirst)) {
      const looked = new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.#lookWithin(lookEveryMs.pressed);
      await looked;
    }
    this.#add(bytes, socket);
  }

  /** Waits until a connection that was sent its last byte has read it. @returns false if it stopped reading */
  hasRead(socket: ReaderSocket): Promise<boolean> {
    this.#lookWithin(lookEveryMs.busy);
    return new Promise((resolve) => this.#ending.set(socket, resolve));
  }

  close(): void {
    this.#isClosed = true;
    this.#plan?.cancel();
    this.#wake();
  }

  #hasRoom(socket: ReaderSocket, comesFirst: boolean): boolean {
    const { total } = this.#now;
    const isLittle = this.#now.of(socket) < pieceBytes;
    return comesFirst ? isLittle : total < easyTotal || (isLittle && total < totalMax);
  }

  #add(bytes: number, socket?: ReaderSocket): void {
    this.#now.add(bytes, socket);
    this.#next?.add(bytes, socket);
    this.#lookWithin(this.#now.total < easyTotal ? lookEveryMs.calm : lookEveryMs.busy);
  }

  #lookWithin(delayMs: number): void {
    const at = this.#clock.elapsedMs() + delayMs;
    if (this.#isClosed || this.#next || (this.#plan && this.#plan.at <= at)) return;
    this.#plan?.cancel();
    this.#plan = { at, cancel: this.#clock.after(delayMs, () => void this.#look()) };
  }

  async #look(): Promise<void> {
    this.#plan = undefined;
    const next = new Tally();
    this.#next = next;
    const queues = ((await this.#queues()) ?? []).filter(({ localPort }) => this.#ports.has(localPort));
    const behind = this.#measure(queues, next);
    this.#now = next;
    this.#next = undefined;
    this.#endFinished(behind);
    for (const reader of behind) if (reader.stalledMs >= stalledMs) reader.end();
    this.#relieve(behind);
    this.#wake();
    const isBusy = next.total >= easyTotal || this.#ending.size > 0;
    if (isBusy || next.total > 0) this.#lookWithin(isBusy ? lookEveryMs.busy : lookEveryMs.calm);
  }

  /** Adds the unread bytes to the tally. @returns the connections that have some */
  #measure(queues: readonly SendQueue[], tally: Tally): Behind[] {
    const now = this.#clock.elapsedMs();
    const byEnds = new Map(queues.map(({ ends, bytes }) => [ends, bytes]));
    const remotePorts = new Set(queues.map(({ remotePort }) => remotePort));
    const behind: Behind[] = [];
    for (const reader of this.#sources.flatMap((readers) => [...readers()])) {
      const { socket } = reader;
      const ends = remotePorts.has(socket.remotePort ?? 0) ? endsOf(socket) : "";
      const queued = byEnds.get(ends) ?? 0;
      byEnds.delete(ends);
      const bytes = queued + socket.writableLength;
      if (bytes === 0) {
        this.#progress.delete(socket);
        continue;
      }
      tally.add(bytes, socket);
      const read = socket.bytesWritten - bytes;
      const before = this.#progress.get(socket);
      const progress = before && before.read >= read ? before : { read, at: now };
      this.#progress.set(socket, progress);
      behind.push({ ...reader, bytes, stalledMs: now - progress.at });
    }
    // Those of closed connections.
    for (const bytes of byEnds.values()) tally.add(bytes);
    return behind;
  }

  #endFinished(behind: readonly Behind[]): void {
    const stalled = new Set(
      behind.filter(({ stalledMs }) => stalledMs >= endWithinMs).map(({ socket }) => socket),
    );
    for (const [socket, resolve] of this.#ending) {
      const hasRead = socket.destroyed || this.#now.of(socket) === 0;
      if (!hasRead && !stalled.has(socket)) continue;
      this.#ending.delete(socket);
      resolve(hasRead);
    }
  }

  /** Ends connections if too much is unread: those of the address with most first, and of these those with most. */
  #relieve(behind: readonly Behind[]): void {
    const now = this.#clock.elapsedMs();
    this.#pressedSince = this.#now.total < pressedTotal ? undefined : (this.#pressedSince ?? now);
    if (this.#pressedSince === undefined) return;
    const isLong = now >= this.#pressedSince + pressedMaxMs;
    const ofAddress = new Map<string, number>();
    for (const { address, bytes } of behind) ofAddress.set(address, (ofAddress.get(address) ?? 0) + bytes);
    const most = ({ address, bytes }: Behind) => [ofAddress.get(address) ?? 0, bytes] as const;
    const candidates = behind
      .filter((reader) => isLong || reader.stalledMs >= stalledPressedMs)
      .map((reader) => ({ reader, most: most(reader) }))
      .sort((one, other) => other.most[0] - one.most[0] || other.most[1] - one.most[1]);
    let excess = this.#now.total - relievedTotal;
    for (const { reader } of candidates) {
      if (excess <= 0) return;
      excess -= reader.bytes;
      reader.end();
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
