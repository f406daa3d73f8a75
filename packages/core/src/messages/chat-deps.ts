import type { ClientId, RoomTag } from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { Identity } from "../handshake/identity.ts";
import type { Clock } from "../ports/clock.ts";
import type { CleanPicture, DrawThumbnail } from "../ports/pictures.ts";
import type { RecordStorage } from "../ports/record-storage.ts";
import type { RoomService } from "../room/room-service.ts";
import type { Options } from "../settings/options.ts";
import type { Log } from "../shared/log.ts";
import type { TransferWorker } from "../transfer/engine-choice.ts";
import type { Invitations } from "./invitations.ts";

/** The part of the room service that the chat uses. */
export type ChatRoom = Pick<
  RoomService,
  | "on"
  | "send"
  | "reportViolation"
  | "sendInTurn"
  | "peer"
  | "isReady"
  | "isReachable"
  | "readyPeers"
  | "isNearby"
  | "entered"
  | "openTransferChannel"
  | "lanesTo"
  | "reportViolation"
>;

/** The dependencies of a `ChatService`. */
export interface ChatDeps {
  readonly selfId: ClientId;
  /** Signs what we write to everyone, if that goes by the log of the room. */
  readonly identity: Identity;
  readonly hasRoomLog: boolean;
  /** What we are called at present. */
  readonly ownName: () => string;
  /** The room we are in, or were in last. */
  readonly roomTag: RoomTag;
  /** The tag for which the entries of its log are signed. */
  readonly logTag: () => Promise<RoomTag>;
  readonly room: ChatRoom;
  readonly library: FileLibrary;
  /** Moves the bytes of files; this thread does if absent. */
  readonly transferWorker: TransferWorker | undefined;
  readonly storage: RecordStorage;
  readonly invitations: Invitations;
  readonly cleanPicture: CleanPicture;
  readonly drawThumbnail: DrawThumbnail;
  /** The limit for files to a client, in bytes per second, because a call needs the line too; null for none. */
  readonly filePaceTo: (peerId: ClientId) => number | null;
  readonly options: () => Options;
  /** Resolves once the list of files is loaded. */
  readonly whenFilesLoaded: Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}
