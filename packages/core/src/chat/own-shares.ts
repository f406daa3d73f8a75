import {
  type ClientId,
  type FileDescription,
  type FileId,
  limits,
  type PeerMessageOf,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import type { OutgoingMessage } from "../connection/message-channel.ts";
import type { FileLibrary } from "../files/file-library.ts";
import type { StoredFile } from "../files/stored-file.ts";
import type { Clock } from "../ports/clock.ts";
import { cancelled } from "../transfer/transfer-state.ts";
import type { FileOffers } from "./file-offers.ts";
import { type FileMessage, messageKeyOf } from "./message.ts";
import type { MessageLog } from "./message-log.ts";
import type { Trust } from "./trust.ts";
import { errorAnswer } from "./wire-error.ts";

/** What a `storage` message needs beside its list, generously. */
const storageEnvelopeBytes = 1_024;
/** How often a client gets the list: it costs more to make than to ask for. */
const listEveryMs = 250;

interface OwnSharesDeps {
  readonly selfId: ClientId;
  readonly messages: MessageLog;
  readonly files: FileOffers;
  readonly library: FileLibrary;
  readonly trust: Pick<Trust, "allows">;
  readonly clock: Clock;
  readonly answer: (to: ClientId, message: OutgoingMessage) => void;
}

/**
 * What of our files a client may list and ask for: those that passed between us, or that we offered to it; besides,
 * those a person marked as shared with the room, or all where a person shares their files with it.
 */
export class OwnShares {
  readonly #deps: OwnSharesDeps;
  readonly #listedAt = new Map<ClientId, number>();

  constructor(deps: OwnSharesDeps) {
    this.#deps = deps;
  }

  /** Answers with what is shared, a page at a time. @throws WarrenError `rate-limited`. */
  list(from: ClientId, { id, after }: PeerMessageOf<"request-storage">): void {
    const now = this.#deps.clock.elapsedMs();
    if (now - (this.#listedAt.get(from) ?? Number.NEGATIVE_INFINITY) < listEveryMs)
      throw new WarrenError("rate-limited");
    this.#listedAt.set(from, now);
    this.#deps.answer(from, { type: "storage", id, ...this.#pageFor(from, after) });
  }

  /**
   * Sends a file that is shared. Where we never offered it ourselves, the request becomes our message about it, so that
   * it is seen what is taken, and can go on later.
   * @throws WarrenError `cache-not-found`, `cache-not-complete`, or `cache-info-not-found` where it passed between us and was
   * deleted here.
   */
  async serve(from: ClientId, { id, fid }: PeerMessageOf<"request-file">): Promise<void> {
    const { files, library, messages, selfId, clock, answer } = this.#deps;
    const file = this.#sharedWith(from).get(fid);
    const withdrawn = files.withdrawnFrom(from, fid);
    if (!file && withdrawn) {
      // A person here took it back, and only they offer it again.
      files.noteAskedAgain(withdrawn, from);
      answer(from, errorAnswer(id, cancelled({ by: "sender", askedAgain: true })));
      return;
    }
    // The same answer for "not shared" and "not there": what else is here is nobody's business.
    if (!file) throw new WarrenError("cache-not-found", { id: fid });
    if (!library.isComplete(fid)) {
      const isKnown = Object.hasOwn(library.store.getState(), fid);
      throw new WarrenError(isKnown ? "cache-not-complete" : "cache-info-not-found", { id: fid });
    }
    let offer = files.offerTo(from, fid);
    if (!offer) {
      const now = clock.now();
      offer = {
        key: messageKeyOf(selfId, id),
        id,
        conversation: from,
        client: selfId,
        createdAt: now,
        sortedAt: messages.nextSortedAt(),
        deliveries: { [from]: { status: "received" } },
        type: "file",
        file,
        transfers: { [from]: { status: "init" } },
      } satisfies FileMessage;
      // The asker chose the id: it must not name something else that we said.
      if (!(await messages.add(offer, { read: true }))) throw new WarrenError("cache-not-found", { id: fid });
    }
    await files.requested(from, offer);
  }

  #sharedWith(peer: ClientId): ReadonlyMap<FileId, FileDescription> {
    const { library, files, trust } = this.#deps;
    const all = trust.allows(peer, "share-all-files");
    const marked = trust.allows(peer, "share-marked-files");
    const shared = new Map<FileId, FileDescription>();
    for (const file of Object.values(library.store.getState()))
      if (all || (marked && file.shared) || this.#passedTo(peer, file))
        shared.set(file.description.fid, file.description);
    for (const file of files.sharedIn(peer)) {
      // The latest stand at the end.
      shared.delete(file.fid);
      shared.set(file.fid, file);
    }
    return shared;
  }

  /** What went to a client counts as theirs to get again, unless it was taken back on the way. */
  #passedTo(peer: ClientId, { peers, description: { fid } }: StoredFile): boolean {
    return peers.includes(peer) && this.#deps.files.withdrawnFrom(peer, fid) === null;
  }

  /**
   * What is shared and complete, the latest first: as many as one frame holds, from behind the file `after`. Where that one
   * is gone meanwhile it begins again at the first: who asks knows each by its id.
   */
  #pageFor(
    peer: ClientId,
    after: FileId | undefined,
  ): Pick<PeerMessageOf<"storage">, "data" | "total" | "more"> {
    const all = [...this.#sharedWith(peer).values()]
      .filter(({ fid }) => this.#deps.library.isComplete(fid))
      .reverse();
    const start = all.findIndex(({ fid }) => fid === after) + 1;
    let roomBytes = limits.peerFrameBytes - storageEnvelopeBytes;
    const data: FileDescription[] = [];
    for (const file of all.slice(start, start + limits.storageEntries)) {
      roomBytes -= utf8Length(JSON.stringify(file)) + 1;
      if (roomBytes < 0) break;
      data.push(file);
    }
    const isLast = data.length === 0 || start + data.length === all.length;
    return { data, total: all.length, ...(!isLast && { more: true }) };
  }
}
