import type { ClientId, ErrorDescription, FileDescription, LaneId } from "@warren/protocol";
import type { FileSource } from "../../files/file-source.ts";
import type { Bytes } from "../../ports/file-storage.ts";
import type { EventSource } from "../../shared/emitter.ts";
import type { RunReport, SendOptions } from "./transfer-engine.ts";

/** Identifies a run on both sides of the port. */
interface OfRun {
  readonly run: number;
}

/** SHA-256 by chunk. */
type Digests = ReadonlyMap<number, Bytes>;

/** The requests of a page to its transfer worker. Channels and files are transferred or cloned as they are. */
export type HostMessage = OfRun &
  (
    | {
        readonly type: "send";
        readonly peerId: ClientId;
        readonly description: FileDescription;
        readonly location: FileSource["location"];
        readonly root: string | null;
        /** Identifies the source: a file that was chosen again is a new source. */
        readonly source: number;
        readonly blob: Blob | null;
        /** Those of the chunks read so far, so that a file that changed since an earlier run is detected. */
        readonly digests: Digests;
        readonly earlier: Digests;
        readonly options: SendOptions;
      }
    /** `storedChunksVerified`: the stored bytes are known to match their digests. */
    | {
        readonly type: "receive";
        readonly description: FileDescription;
        readonly storedChunksVerified: boolean;
      }
    | { readonly type: "channel"; readonly channel: RTCDataChannel; readonly lane: LaneId | null }
    | { readonly type: "pace"; readonly bytesPerSecond: number | null }
    | { readonly type: "leave-lane"; readonly lane: LaneId; readonly isLost: boolean }
    /** The page recorded that a file is complete, or failed to. */
    | { readonly type: "kept"; readonly error: ErrorDescription | null }
    | { readonly type: "close" }
  );

/** The worker's reports about a run. */
export type RunEvent = OfRun &
  (
    | /** The file is open: channels may come. */ { readonly type: "receiving"; readonly bytes: number }
    | /** The file could not be opened. */ { readonly type: "refused"; readonly error: ErrorDescription }
    | RunReport
    /** Sent at least every three seconds: the page takes silence for a stall. */
    | { readonly type: "progress"; readonly bytes: number }
    /** Digests of the chunks read for sending since the last report. */
    | { readonly type: "digests"; readonly digests: Digests }
    | { readonly type: "finishing" }
    /** All bytes are stored; the worker waits for `kept`. */
    | { readonly type: "finished"; readonly root: string }
    /** The last event of a run; `storedChunksVerified` is null if nothing was received. */
    | { readonly type: "closed"; readonly bytes: number; readonly storedChunksVerified: boolean | null }
  );

/**
 * One end of the message port between a page and its own worker. Both come from one build, so the other side's messages
 * are typed, not parsed.
 */
export interface ThreadPort<Sent extends object, Received> extends EventSource<{ message: [Received] }> {
  post(message: Sent, transfer?: readonly Transferable[]): void;
}
