import {
  type ClientId,
  contentSizeOf,
  type FileDescription,
  type FileId,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { Clock } from "../ports/clock.ts";
import type { Options } from "../settings/options.ts";
import { randomUuid } from "../shared/ids.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import { transferKeyOf } from "../transfer/transfer-state.ts";
import { FetchQueue } from "./fetch-queue.ts";
import type { FileOffers } from "./file-offers.ts";
import { type FileMessage, messageKeyOf } from "./message.ts";
import type { MessageLog } from "./message-log.ts";

/** The dependencies of {@link SharedFetches}. */
export interface SharedFetchesDeps {
  readonly messages: MessageLog;
  readonly files: FileOffers;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  readonly clock: Clock;
  readonly options: () => Pick<Options, "maxFileSize">;
  readonly isReady: (peer: ClientId) => boolean;
  /** Whether the person wants a file although it exceeds the size limit. */
  readonly isWantedOverLimit: (fid: FileId) => boolean;
  /** A client's queue has changed. */
  readonly onWaiting: (peer: ClientId, fids: readonly FileId[]) => void;
  /** A file could not be requested. */
  readonly onRefused: (peer: ClientId, fid: FileId, error: WarrenError) => void;
}

/** Fetches files that others share, a few at a time; each becomes a message when it is started. */
export class SharedFetches {
  readonly queue: FetchQueue;
  readonly #deps: SharedFetchesDeps;

  constructor(deps: SharedFetchesDeps) {
    this.#deps = deps;
    this.queue = new FetchQueue({
      isReady: deps.isReady,
      start: (peer, file) => this.#start(peer, file),
      onWaiting: deps.onWaiting,
    });
  }

  async #start(peer: ClientId, file: FileDescription): Promise<boolean> {
    const { fid } = file;
    try {
      await this.#request(peer, file);
      const status = this.#deps.transfers.store.getState()[transferKeyOf(peer, fid)]?.state.status;
      return status === "init" || status === "transferring";
    } catch (thrown) {
      this.#deps.onRefused(peer, fid, toWarrenError(thrown));
      return false;
    }
  }

  async #request(peer: ClientId, file: FileDescription): Promise<void> {
    const { options, library, files, messages } = this.#deps;
    const { maxFileSize } = options();
    const sizeBytes = contentSizeOf(file);
    if (sizeBytes > maxFileSize && !this.#deps.isWantedOverLimit(file.fid))
      throw new WarrenError("file-too-large", { sizeBytes, limitBytes: maxFileSize });
    if (library.isComplete(file.fid)) return;
    await messages.loadAbout([file.fid]);
    const known = files.lastBetween(peer, file.fid);
    const state = known?.client === peer ? known.transfers[peer] : undefined;
    if (known && state?.status === "init") return files.accept(known.key);
    if (known && state?.status === "transferring") return;
    if (known && state && state.status !== "complete") return files.request(known.key);
    const message = this.#messageOf(peer, file);
    await messages.add(message, { read: true });
    await files.request(message.key);
  }

  #messageOf(peer: ClientId, file: FileDescription): FileMessage {
    const { messages, clock } = this.#deps;
    const id = randomUuid();
    return {
      key: messageKeyOf(peer, id),
      id,
      conversation: peer,
      client: peer,
      createdAt: clock.now(),
      sortedAt: messages.nextSortedAt(),
      deliveries: {},
      type: "file",
      file,
      transfers: { [peer]: { status: "paused", by: "absence" } },
    };
  }
}
