import type { ClientId, ErrorDescription, FileDescription, LaneId } from "@warren/protocol";
import type { FileSource } from "../files/file-source.ts";
import type { Bytes } from "../ports/file-storage.ts";
import type { SendOptions } from "./transfer-engine.ts";

/** Names a run on both sides of the wire. */
interface OfRun {
  readonly run: number;
}

/** SHA-256 by chunk. */
type Leaves = ReadonlyMap<number, Bytes>;

/** What a page asks of the worker that moves bytes for it. Channels and files come along as they are. */
export type HostMessage = OfRun &
  (
    | {
        readonly type: "send";
        readonly peerId: ClientId;
        readonly description: FileDescription;
        readonly place: FileSource["place"];
        readonly root: string | null;
        /** Names the source: a file that was chosen again is another one. */
        readonly source: number;
        readonly earlier: Leaves;
        readonly channels: readonly RTCDataChannel[];
        readonly options: SendOptions;
      }
    /** The bytes of a file that is sent. */
    | { readonly type: "source"; readonly blob: Blob | null }
    /** `trusted`: the stored bytes are known to match their digests. */
    | { readonly type: "receive"; readonly description: FileDescription; readonly trusted: boolean }
    | { readonly type: "channel"; readonly channel: RTCDataChannel; readonly lane: LaneId | null }
    | { readonly type: "pace"; readonly bytesPerSecond: number | null }
    | { readonly type: "leave-lane"; readonly lane: LaneId; readonly isLost: boolean }
    /** The page noted that a file is whole, or could not. */
    | { readonly type: "kept"; readonly error: ErrorDescription | null }
    | { readonly type: "close" }
  );

/** What the worker reports of each run. */
export type RunEvent = OfRun &
  (
    | /** The file is open: channels may come. */ { readonly type: "receiving"; readonly bytes: number }
    | /** The file could not be opened. */ { readonly type: "refused"; readonly error: ErrorDescription }
    | { readonly type: "open" }
    /** A channel of a file that is received closed while others are left. */
    | { readonly type: "channel-closed" }
    | { readonly type: "channels-closed" }
    | { readonly type: "progress"; readonly bytes: number }
    /** Chunks that were read for sending since the last time. */
    | { readonly type: "leaves"; readonly leaves: Leaves }
    | { readonly type: "finishing" }
    | { readonly type: "merging"; readonly share: number }
    /** The bytes are whole; the worker waits for `kept`. */
    | { readonly type: "finished"; readonly root: string }
    | { readonly type: "complete" }
    | { readonly type: "error"; readonly error: ErrorDescription }
    /** The last of a run; `trusted` is null where nothing was received. */
    | { readonly type: "closed"; readonly bytes: number; readonly trusted: boolean | null }
  );
