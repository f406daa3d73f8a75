import type { OpenSocket } from "@warren/core";

interface Ahead {
  readonly socket: WebSocket;
  /** As it was asked for. */
  readonly url: string;
  readonly protocol: string;
  /** What came before anybody listened. */
  readonly received: unknown[];
  readonly listening: AbortController;
}

/** What the last visit joined at its start, with what decided that: where all of it is the same, this one will most likely too. */
interface LastVisit {
  /** Only what names a room: the rest may hold a password. */
  readonly address: string;
  readonly options: string | null;
  readonly url: string;
  readonly protocol: string;
}

const lastVisitKey = "socket_ahead";
const optionsKey = "app_options";
/** Where the identity is kept. */
const identityDatabase = "warren-identity";
/** For as long as this the database is held open for whoever reads it. */
const holdMs = 2_000;

/**
 * Opens a WebSocket before there is anybody to use it: its round trips pass while the rest of the page begins.
 * Imports nothing, so that it runs before the other first code is evaluated.
 */
export class SocketAhead {
  #ahead: Ahead | null = null;

  /** Opens what the last visit to this address opened, and the database that it read, before anything is decided. */
  openAsLastTime(address: string): void {
    const last = readLastVisit();
    if (last?.address !== roomOf(address) || last.options !== readItem(optionsKey)) return;
    this.open(last.url, last.protocol);
    holdOpen(identityDatabase);
  }

  /** Opens it, where it is not open already; an address that leads nowhere is left to {@link take}. */
  open(url: string, protocol: string): void {
    if (this.#ahead !== null && isSame(this.#ahead, url, protocol)) return;
    this.discard();
    try {
      const socket = new WebSocket(url, protocol);
      const listening = new AbortController();
      const received: unknown[] = [];
      socket.addEventListener("message", ({ data }) => received.push(data), { signal: listening.signal });
      this.#ahead = { socket, url, protocol, received, listening };
    } catch {
      // Whoever asks for a socket of this address is told.
    }
  }

  /** The socket that was opened ahead where it is of this address and has not ended; otherwise a new one. */
  readonly take: OpenSocket = (url, protocol) => {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead === null) return new WebSocket(url, protocol);
    const { socket, received, listening } = ahead;
    listening.abort();
    const isUsable = socket.readyState === WebSocket.CONNECTING || socket.readyState === WebSocket.OPEN;
    if (!isUsable || !isSame(ahead, url, protocol)) {
      socket.close();
      return new WebSocket(url, protocol);
    }
    // By then the taker listens.
    queueMicrotask(() => {
      for (const data of received) socket.dispatchEvent(new MessageEvent("message", { data }));
    });
    return socket;
  };

  /** Closes it where nobody has taken it. */
  discard(): void {
    this.#ahead?.listening.abort();
    this.#ahead?.socket.close();
    this.#ahead = null;
  }
}

/** Notes for {@link SocketAhead.openAsLastTime} that this address was joined at once; null where nothing was. */
export function noteVisit(visit: Omit<LastVisit, "options"> | null): void {
  try {
    if (visit === null) localStorage.removeItem(lastVisitKey);
    else
      localStorage.setItem(
        lastVisitKey,
        JSON.stringify({
          ...visit,
          address: roomOf(visit.address),
          options: localStorage.getItem(optionsKey),
        }),
      );
  } catch {
    // A browser that keeps nothing meets a little later.
  }
}

function roomOf(address: string): string {
  const { pathname, searchParams } = new URL(address);
  return `${pathname}?${searchParams.get("id") ?? ""}`;
}

function isSame(ahead: Ahead, url: string, protocol: string): boolean {
  return ahead.url === url && ahead.protocol === protocol;
}

function readLastVisit(): LastVisit | null {
  try {
    return JSON.parse(readItem(lastVisitKey) ?? "null");
  } catch {
    return null; // something else wrote it
  }
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Opens a database that exists, so that the browser has read it from the disk once it is asked for. */
function holdOpen(name: string): void {
  try {
    const opening = indexedDB.open(name);
    opening.onupgradeneeded = () => opening.transaction?.abort(); // there is none
    opening.onsuccess = () => {
      const { result } = opening;
      result.onversionchange = () => result.close();
      setTimeout(() => result.close(), holdMs);
    };
  } catch {
    // Its reader is told.
  }
}
