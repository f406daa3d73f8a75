import { type FileId, toWarrenError } from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { StoredFile } from "../files/stored-file.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Clock } from "../ports/clock.ts";
import type { Options } from "../settings/options.ts";
import { Emitting } from "../shared/emitter.ts";
import type { Log } from "../shared/log.ts";
import { isCancelled, isOpen, isTurnedDown } from "../transfer/offer-state.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import type { FileOffer, Offers } from "./offers.ts";

/** Other sites and programs free disk space without any event, so poll for it. */
const spaceCheckMs = 15_000;

interface FileCleanupDeps {
  readonly offers: Offers;
  readonly messages: Pick<MessageLog, "loadAbout">;
  readonly library: FileLibrary;
  readonly transfers: Pick<TransferService, "discard">;
  readonly options: () => Pick<Options, "automaticCacheDeletion">;
  readonly clock: Clock;
  readonly log: Log;
}

/** The events of a {@link FileCleanup}. */
export type FileCleanupEvents = {
  /** A received file is complete, which the page before this one told the sender, but did not note any more. */
  "file-whole": [offer: FileOffer];
  /** The file of our offer cannot be opened without a person. */
  "source-lost": [offer: FileOffer];
  /** There may be space for a file that waits for it. */
  "space-freed": [offer: FileOffer];
};

/** Keeps what offers still need of the files here, deletes the rest, and waits for space. */
export class FileCleanup extends Emitting<FileCleanupEvents> {
  readonly #deps: FileCleanupDeps;
  #stopSpaceCheck: (() => void) | null = null;

  constructor(deps: FileCleanupDeps) {
    super();
    this.#deps = deps;
  }

  /**
   * Called after a reload, once history and files are loaded: ends offers of files that are complete here, reopens the files
   * of our own and frees unneeded copies.
   */
  async afterReload(): Promise<void> {
    const { library, offers, log } = this.#deps;
    const wanted = new Set<FileId>();
    for (const offer of offers.all()) {
      // One that has failed did not bring it.
      if (offer.side === "receiver" && isOpen(offer.state) && library.has(offer.message.file))
        this.emit("file-whole", offer);
      if (offer.side === "receiver" || offer.state === "complete" || isTurnedDown(offer.state)) continue;
      wanted.add(offer.message.file.fid);
    }
    for (const { file } of offers.awaitingAnybody()) wanted.add(file.fid);
    // A file that has changed since is reported when somebody requests it.
    for (const fid of wanted)
      if (!(await library.openSource(fid, { ask: false }).catch(() => false))) this.loseSource(fid);
    if (this.#lackingSpace().length > 0) this.waitForSpace();
    try {
      await library.offered.keepOnly(wanted);
      await this.#sweep();
    } catch (thrown) {
      // A full disk may refuse even that. What is left is freed at the next start.
      log.warn("files were not freed", { code: toWarrenError(thrown).code });
    }
  }

  /**
   * Deletes data that no offer of the file needs any more: the whole file once everybody has it, if that option is on,
   * or our copy once nobody can still get it. Received files are kept.
   */
  free(fid: FileId): void {
    const { library, transfers, options } = this.#deps;
    if (library.store.getState().get(fid)?.direction !== "sent") return;
    // What cannot be deleted now stays in the file list and is freed on the next page load.
    if (options().automaticCacheDeletion && this.#isDelivered(fid))
      void transfers.discard(fid).catch(() => {});
    else if (this.#isWanted(fid) === false) void library.freeCopy(fid).catch(() => {});
  }

  /** The file of our offers is not at hand, or changed: reports `source-lost` of each. */
  loseSource(fid: FileId): void {
    for (const offer of this.#deps.offers.all(fid))
      if (offer.side === "sender") this.emit("source-lost", offer);
  }

  /** Reports `space-freed` once there may be some. */
  waitForSpace(): void {
    if (this.#stopSpaceCheck) return;
    const { clock, library } = this.#deps;
    const check = () => {
      this.#stopSpaceCheck?.();
      for (const offer of this.#lackingSpace()) this.emit("space-freed", offer);
    };
    const cancelTimer = clock.after(spaceCheckMs, check);
    const stopListening = library.store.subscribe((now, before) => {
      if ([...before.keys()].some((fid) => !now.has(fid))) check();
    });
    this.#stopSpaceCheck = () => {
      this.#stopSpaceCheck = null;
      cancelTimer();
      stopListening();
    };
  }

  close(): void {
    this.clear();
    this.#stopSpaceCheck?.();
  }

  /** Frees our copies that nobody can still get, and parts of received files that no message resumes. */
  async #sweep(): Promise<void> {
    const { library, messages } = this.#deps;
    const files = [...library.store.getState().values()];
    // A copy that has reached somebody is kept unless all its offers in memory were turned down.
    const mayGo = ({ direction, state, peers }: StoredFile) =>
      direction === "sent" ? peers.length === 0 : state === "incomplete";
    await messages.loadAbout(files.filter(mayGo).map(({ description }) => description.fid));
    for (const { description, direction, state, peers } of files) {
      const { fid } = description;
      const isWanted = this.#isWanted(fid);
      // If somebody got a file whose message was removed, it is kept until a person deletes it.
      if (direction === "sent" && !(isWanted ?? peers.length > 0)) await library.freeCopy(fid);
      if (direction === "received" && state === "incomplete" && !isWanted) await library.remove(fid);
    }
  }

  #lackingSpace(): readonly FileOffer[] {
    return this.#deps.offers.all().filter(({ side, state }) => side === "receiver" && state === "needsSpace");
  }

  /** Whether somebody has a file through a message, or may still get it; null if no message is about it. */
  #isWanted(fid: FileId): boolean | null {
    if (this.#deps.offers.awaitingAnybody(fid).length > 0) return true;
    const offers = this.#deps.offers.all(fid);
    return offers.length === 0 ? null : offers.some(({ state }) => !isTurnedDown(state));
  }

  /** Whether a file has reached somebody, and everyone it was offered to who may still get it. */
  #isDelivered(fid: FileId): boolean {
    if (this.#deps.offers.awaitingAnybody(fid).length > 0) return false;
    const offered = this.#deps.offers.all(fid).filter(({ stored }) => !isCancelled(stored));
    return offered.length > 0 && offered.every(({ state }) => state === "complete");
  }
}
