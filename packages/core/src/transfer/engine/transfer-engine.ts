import type { ClientId, ErrorDescription, FileDescription, FileId, LaneId } from "@warren/protocol";
import type { FileSource } from "../../files/file-source.ts";
import type { FileClaim } from "../../files/received-file.ts";
import type { Options } from "../../settings/options.ts";
import type { EventSource } from "../../shared/emitter.ts";
import type { TransferMode } from "../transfer-state.ts";

/** Moves the bytes of files: in this thread, or in a worker. */
export interface TransferEngine {
  /** Sends the chunks that the receiver requests over the channels that are added to the run. */
  send(request: SendRequest): TransferRun;
  /**
   * Opens the file and waits for channels. Rejects with `storage-full` or `storage-failed`, and abandons the claim
   * then.
   */
  receive(claim: FileClaim): Promise<TransferRun>;
}

/** Chooses the engine for a file and loads its code. Rejects with `app-code-missing`. */
export type EngineChoice = (mode: TransferMode, fid: FileId) => Promise<TransferEngine>;

/** The options a sender follows. */
export type SendOptions = Pick<Options, "blockSize" | "bufferedAmountLowThreshold" | "compressionLevel">;

/** A request to send a file. */
export interface SendRequest {
  readonly peerId: ClientId;
  readonly description: FileDescription;
  readonly source: FileSource;
  /** The source's bytes, for a worker to read; null if they are gone. */
  readonly blob: Blob | null;
  readonly options: SendOptions;
}

/** A running transfer over channels: a `FileSender`, a `FileReceiver`, or one of them in a worker. A resumed transfer is a new run. */
export interface TransferRun extends EventSource<TransferRunEvents> {
  /** The number of channels that have not closed. */
  readonly channelCount: number;
  /** Whether all channels have ended, after at least one existed. */
  readonly isOver: boolean;
  /** Bytes that the receiver has stored, at the sender as far as they are confirmed. */
  readonly transferredBytes: number;
  /**
   * Adds a channel. Call it in the task that opened the channel, or in the event that brought it: only then can it be
   * transferred to a worker, and its first messages follow.
   * @param lane the lane we opened it on; null for the session's own connection, and for channels of the other side.
   */
  addChannel(channel: RTCDataChannel, lane: LaneId | null): void;
  /** Stops using a lane. Data queued on its channels still arrives, unless the lane is lost: then it is sent again. */
  leaveLane(lane: LaneId, isLost: boolean): void;
  /** Limits the rate in bytes per second, together with everything sent to the same client; null for no limit. */
  setPace(bytesPerSecond: number | null): void;
  /** Stops and reports nothing more. Resolves once received data is stored. */
  close(): Promise<void>;
}

/** The events of a {@link TransferRun}. A received file has none before its first channel is added. */
export type TransferRunEvents = { report: [report: RunReport] };

/** What a run reports; a worker reports the same to its page. */
export type RunReport =
  /** The first channel is open. */
  | { readonly type: "open" }
  /** A channel of a received file closed while others remain. */
  | { readonly type: "channel-closed" }
  /** The other side or the network closed the last channel. */
  | { readonly type: "channels-closed" }
  /** The other side violated the protocol; its frame was dropped. */
  | { readonly type: "violation"; readonly issue: string }
  /** The progress of merging the chunks, 0 to 1. */
  | { readonly type: "merging"; readonly progress: number }
  | { readonly type: "complete" }
  | { readonly type: "error"; readonly error: ErrorDescription };
