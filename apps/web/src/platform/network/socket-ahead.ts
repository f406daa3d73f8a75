import type { OpenSocket } from "@warren/core";

interface Ahead {
  readonly socket: WebSocket;
  /** The requested address. */
  readonly url: string;
  readonly protocol: string;
  /** Messages received before anybody listened. */
  readonly received: unknown[];
  readonly listening: AbortController;
}

/** The socket of a visit that joined at once, and what that depended on: unless it changed, the next visit most likely joins too. */
interface LastVisit {
  /** Only the part that names the room: the rest may hold a password. */
  readonly address: string;
  readonly options: string | null;
  readonly url: string;
  readonly protocol: string;
}

const lastVisitKey = "socket_ahead";
/** Core's key of the stored options; importing it would evaluate core first. */
const optionsKey = "app_options";
/** The database of the identity; a first visit waits longest for its creation. */
export const identityDatabase = { name: "warren-identity", version: 1, store: "keys" } as const;
/** How long the database stays open for its reader. */
const holdMs = 2_000;
/** How long a socket waits for its taker: the server closes one that sends nothing for 5 s. */
const unusedMs = 4_000;
/** How long {@link SocketAhead.untilAsked} waits at most: the interface must not depend on a server. */
const askedMs = 250;

/**
 * Opens a WebSocket ahead of its use: its round trips pass while the rest of the page starts.
 * Imports nothing, so that it runs before the other first code is evaluated.
 */
export class SocketAhead {
  #ahead: Ahead | null = null;
  /** Called when the socket has sent its first frame, or will not. */
  #onAsked = (): void => {};

  /** Opens the identity database, and the socket of the last visit to this address, before the page decides anything. */
  openAsLastTime(address: string): void {
    const last = readLastVisit();
    if (last?.address === roomOf(address) && last.options === readItem(optionsKey))
      this.open(last.url, last.protocol);
    openIdentityDatabase();
  }

  /** Opens it for 4 s unless it is open already; {@link take} reports an invalid address. */
  open(url: string, protocol: string): void {
    if (this.#ahead !== null && isSame(this.#ahead, url, protocol)) return;
    this.discard();
    try {
      const socket = new WebSocket(url, protocol);
      const listening = new AbortController();
      const received: unknown[] = [];
      socket.addEventListener("message", ({ data }) => received.push(data), { signal: listening.signal });
      const ahead = { socket, url, protocol, received, listening };
      this.#ahead = ahead;
      setTimeout(() => this.#ahead === ahead && this.discard(), unusedMs);
    } catch {
      // `take` reports the error.
    }
  }

  /** The socket opened ahead, if it has this address and has not ended; otherwise a new one. */
  readonly take: OpenSocket = (url, protocol) => {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead === null) return new WebSocket(url, protocol);
    const { socket, received, listening } = ahead;
    listening.abort();
    const isUsable = socket.readyState === WebSocket.CONNECTING || socket.readyState === WebSocket.OPEN;
    if (!isUsable || !isSame(ahead, url, protocol)) {
      socket.close();
      this.#onAsked();
      return new WebSocket(url, protocol);
    }
    // Once: then the socket has its own again.
    socket.send = (data) => {
      Reflect.deleteProperty(socket, "send");
      socket.send(data);
      this.#onAsked();
    };
    // By then the caller listens.
    queueMicrotask(() => {
      for (const data of received) socket.dispatchEvent(new MessageEvent("message", { data }));
    });
    return socket;
  };

  /**
   * Resolves once the socket opened ahead has sent its first frame or is closed; at once if none was opened, and after a quarter of a
   * second at the latest. What takes processor time until then delays the server's answer; afterwards it fills the wait for it.
   */
  untilAsked(): Promise<void> {
    if (this.#ahead === null) return Promise.resolve();
    const { socket } = this.#ahead;
    return new Promise((resolve) => {
      this.#onAsked = resolve;
      socket.addEventListener("close", () => resolve(), { once: true });
      setTimeout(resolve, askedMs);
    });
  }

  /** Closes it unless it was taken. */
  discard(): void {
    if (this.#ahead === null) return;
    this.#ahead.listening.abort();
    this.#ahead.socket.close();
    this.#ahead = null;
    this.#onAsked();
  }
}

/** Records for {@link SocketAhead.openAsLastTime} that this address was joined at once; null if none was. */
export function storeVisit(visit: Omit<LastVisit, "options"> | null): void {
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
    // Without storage, the next visit meets a little later.
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
    const visit = JSON.parse(readItem(lastVisitKey) ?? "null");
    return typeof visit?.url === "string" && typeof visit.protocol === "string" ? visit : null;
  } catch {
    return null; // written by something else
  }
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Opens or creates the identity database, so that the browser has done so by the time it is needed. */
function openIdentityDatabase(): void {
  try {
    if (!isSecureContext) return; // there the identity is no key
    const { name, version, store } = identityDatabase;
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => opening.result.createObjectStore(store);
    opening.onsuccess = () => {
      const { result } = opening;
      result.onversionchange = () => result.close();
      setTimeout(() => result.close(), holdMs);
    };
  } catch {
    // Its reader reports it.
  }
}
