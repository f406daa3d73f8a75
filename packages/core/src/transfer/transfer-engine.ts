import type { ClientId, FileDescription, FileId, LaneId, WarrenError } from "@warren/protocol";
import type { FileSource } from "../files/file-source.ts";
import type { FileClaim } from "../files/received-file.ts";
import type { Options } from "../settings/options.ts";
import type { TransferMode } from "./transfer-state.ts";

/** Moves the bytes of files: in this thread, or in a worker. */
export interface TransferEngine {
  /** Called in the task that opened the channels: a worker takes no others. */
  send(request: SendRequest, handlers: TransferRunHandlers): TransferRun;
  /** Opens the file and waits for channels. Rejects with `storage-full` or `storage-failed`, and then abandons the claim. */
  receive(claim: FileClaim, handlers: TransferRunHandlers): Promise<TransferRun>;
}

/** Chooses the engine for a file and loads its code. Rejects with `transferer-not-initialized`. */
export type EngineChoice = (mode: TransferMode, fid: FileId) => Promise<TransferEngine>;

/** The options a sender follows. */
export type SendOptions = Pick<Options, "blockSize" | "bufferedAmountLowThreshold" | "compressionLevel">;

/** What sending a file takes. */
export interface SendRequest {
  readonly peerId: ClientId;
  readonly description: FileDescription;
  readonly source: FileSource;
  /** All on one connection. */
  readonly channels: readonly RTCDataChannel[];
  readonly options: SendOptions;
}

/** A file on its way over channels; a resumed transfer is a new run. */
export interface TransferRun {
  /** The channels that have not closed. */
  readonly channelCount: number;
  /** Whether there were channels and none of them is of use any more. */
  readonly isOver: boolean;
  readonly transferredBytes: () => number;
  /**
   * Takes one more channel, in the very call that brought it: its first messages are next.
   * @param lane the lane we opened it on; null for the session's own connection, and for a channel of the other side.
   */
  addChannel(channel: RTCDataChannel, lane: LaneId | null): void;
  /** Puts nothing more on a lane. What its channels hold still arrives, unless it is lost: then it is sent again. */
  leaveLane(lane: LaneId, isLost: boolean): void;
  /** Sends no faster than so many bytes a second, with all that is sent to the same client; null for no limit. */
  setPace(bytesPerSecond: number | null): void;
  /** Stops, and reports nothing more. Resolves once what was received is stored. */
  close(): Promise<void>;
}

/** What a run reports. */
export interface TransferRunHandlers {
  /** The first channel is open. */
  readonly onOpen: () => void;
  /** A channel closed while others are left, for a page that counts them from another thread. */
  readonly onChannelClosed?: () => void;
  /** The other side or the network closed the last channel. */
  readonly onChannelsClosed: () => void;
  readonly onMerging: (share: number) => void;
  readonly onComplete: () => void;
  readonly onError: (error: WarrenError) => void;
}
