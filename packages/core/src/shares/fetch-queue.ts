import type { ClientId, FileDescription, FileId } from "@warren/protocol";
import { Emitter, type EventSource } from "../shared/emitter.ts";

/** How many files are fetched from one client at once: enough for small ones to fill the link. */
const runningMax = 3;

interface FetchQueueDeps {
  /** Starts a fetch. @returns whether it is under way afterwards. */
  readonly start: (peer: ClientId, file: FileDescription) => Promise<boolean>;
  /** Whether files can be fetched from a client now; otherwise its queue waits. */
  readonly isReady: (peer: ClientId) => boolean;
}

/** The events of a {@link FetchQueue}. */
export type FetchQueueEvents = {
  /** A client's queue has changed. */
  waiting: [peer: ClientId, fids: readonly FileId[]];
};

interface Line {
  readonly waiting: FileDescription[];
  readonly running: Set<FileId>;
}

/** Fetches many files, a few at a time, in the order they were requested. */
export class FetchQueue implements EventSource<FetchQueueEvents> {
  readonly #events = new Emitter<FetchQueueEvents>();
  readonly #deps: FetchQueueDeps;
  readonly #lines = new Map<ClientId, Line>();

  constructor(deps: FetchQueueDeps) {
    this.#deps = deps;
  }

  get on(): EventSource<FetchQueueEvents>["on"] {
    return this.#events.on.bind(this.#events);
  }

  /** Appends files to a client's queue; files that are queued or running keep their position. */
  add(peer: ClientId, files: readonly FileDescription[]): void {
    const line = this.#lines.get(peer) ?? { waiting: [], running: new Set<FileId>() };
    this.#lines.set(peer, line);
    const isThere = ({ fid }: FileDescription) =>
      line.running.has(fid) || line.waiting.some((file) => file.fid === fid);
    for (const file of files) if (!isThere(file)) line.waiting.push(file);
    this.advance(peer);
  }

  /** Removes a queued file. @returns whether it was queued. */
  remove(peer: ClientId, fid: FileId): boolean {
    const line = this.#lines.get(peer);
    const at = line?.waiting.findIndex((file) => file.fid === fid) ?? -1;
    if (!line || at === -1) return false;
    line.waiting.splice(at, 1);
    this.#reportWaiting(peer, line);
    return true;
  }

  /** A file is no longer being fetched, for any reason. */
  ended(peer: ClientId, fid: FileId): void {
    if (this.#lines.get(peer)?.running.delete(fid)) this.advance(peer);
  }

  /** Starts queued fetches up to the limit. */
  advance(peer: ClientId): void {
    const line = this.#lines.get(peer);
    if (!line) return;
    while (this.#deps.isReady(peer) && line.running.size < runningMax) {
      const file = line.waiting.shift();
      if (!file) break;
      line.running.add(file.fid);
      void this.#deps.start(peer, file).then((isStarted) => isStarted || this.ended(peer, file.fid));
    }
    this.#reportWaiting(peer, line);
  }

  #reportWaiting(peer: ClientId, { waiting }: Line): void {
    const fids = waiting.map(({ fid }) => fid);
    this.#events.emit("waiting", peer, fids);
  }
}
