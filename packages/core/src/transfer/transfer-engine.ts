import type { ClientId, FileDescription, FileId, LaneId, WarrenError } from "@warren/protocol";
import type { FileSource } from "../files/file-source.ts";
import type { FileClaim } from "../files/received-file.ts";
import type { Options } from "../settings/options.ts";
import type { TransferMode } from "./transfer-state.ts";

/** Moves the bytes of files: in this thread, or in a worker. */
export interface TransferEngine {
  /** Call it in the task that opened the channels: only then can they be transferred to a worker. */
  send(request: SendRequest, handlers: TransferRunHandlers): TransferRun;
  /**
   * Opens the file and waits for channels. Rejects with `storage-full` or `storage-failed`, and abandons the claim
   * then.
   */
  receive(claim: FileClaim, handlers: TransferRunHandlers): Promise<TransferRun>;
}

/** Chooses the engine for a file and loads its code. Rejects with `transferer-not-initialized`. */
export type EngineChoice = (mode: TransferMode, fid: FileId) => Promise<TransferEngine>;

/** The options a sender follows. */
export type SendOptions = Pick<Options, "blockSize" | "bufferedAmountLowThreshold" | "compressionLevel">;

/** A request to send a file. */
export interface SendRequest {
  readonly peerId: ClientId;
  readonly description: FileDescription;
  readonly source: FileSource;
  /** All on one connection. */
  readonly channels: readonly RTCDataChannel[];
  readonly options: SendOptions;
}

/** A running transfer over channels; a resumed transfer is a new run. */
export interface TransferRun {
  /** The number of channels that have not closed. */
  readonly channelCount: number;
  /** Whether all channels have ended, after at least one existed. */
  readonly isOver: boolean;
  readonly transferredBytes: () => number;
  /**
   * Adds a channel. Call it synchronously in the channel's event: its first messages follow.
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

/** The events of a run. */
export interface TransferRunHandlers {
  /** The first channel is open. */
  readonly onOpen: () => void;
  /** A channel closed while others remain; for a page that counts them from another thread. */
  readonly onChannelClosed?: () => void;
  /** The other side or the network closed the last channel. */
  readonly onChannelsClosed: () => void;
  readonly onMerging: (share: number) => void;
  readonly onComplete: () => void;
  readonly onError: (error: WarrenError) => void;
}
