export type { Call, NewSource } from "./call/call.ts";
export { cameraSize, type PictureSize, type Preset, type Reception } from "./call/call-policy.ts";
export {
  type CallEvents,
  type CallState,
  isTakingPart,
  isWithOthers,
  type LocalSource,
  type RemoteSource,
  type SourceKey,
} from "./call/call-state.ts";
export { type IncomingRing, type OutgoingRing, Ringing, type RingingState } from "./call/ringing.ts";
export type { RoomCall } from "./call/room-call.ts";
export type { TypingState } from "./chat/typing.ts";
export type { Access, DoctorPlatform, SeenAddress } from "./doctor/doctor.ts";
export { doctorReport, inOrder, maskAddresses } from "./doctor/report.ts";
export {
  type DoctorCause,
  type DoctorStep,
  type DoctorVerdict,
  doctorCauses,
  doctorSteps,
} from "./doctor/verdict.ts";
export {
  compareFiles,
  compareNames,
  descriptionOf,
  type FileComparison,
  type Verdict,
} from "./files/compare-files.ts";
export type { FileClaim } from "./files/received-file.ts";
export type { LibraryState, StoredFile } from "./files/stored-file.ts";
export { composeTree, type PickedFile, type PickedTree } from "./files/trees/compose-tree.ts";
export {
  fileInTree,
  findUnreadable,
  type OpenTree,
  openTree,
  readManifest,
} from "./files/trees/open-tree.ts";
export { zipTree } from "./files/zip/zip-tree.ts";
export { fingerprintOfSdp } from "./handshake/fingerprint.ts";
export {
  generateIdentityKey,
  type Identity,
  identityOf,
  unverifiableIdentity,
} from "./handshake/identity.ts";
export { safetyCodeNumbers } from "./handshake/sas.ts";
export { type SafetyEmoji, safetyEmoji } from "./handshake/sas-emoji.ts";
export { answerOf } from "./ice/browser-answer.ts";
export { type ConnectionStats, connectionStatsOf } from "./ice/connection-stats.ts";
export type { LeftOutServer } from "./ice/ice-servers.ts";
export type { AskRelay, ServerCheck } from "./ice/server-check.ts";
export { type SharedTurns, sharedTurnsOf } from "./ice/shared-turns.ts";
export {
  type ChatState,
  type Contact,
  type Conversation,
  type Gap,
  isInGap,
  loadedMessages,
  type MissingEntries,
  type Permissions,
  type RoomMembers,
  type StorageUsage,
  type TrustLevel,
} from "./messages/chat-state.ts";
export { isRoomConversation } from "./messages/conversation-names.ts";
export type { FoundConversation, SearchOptions, SearchResults } from "./messages/conversation-search.ts";
export { awaitsAnybody } from "./messages/file-entry.ts";
export {
  type CallMessage,
  type ChatMessage,
  type ConversationId,
  type Delivery,
  type Doubt,
  everyone,
  type FileMessage,
  type MessageKey,
  messageKeyOf,
  messageNameOf,
  type SentMessage,
  statusOf,
  type TextMessage,
} from "./messages/message.ts";
export { reactionsOf } from "./messages/message-changes.ts";
export {
  type FoundMessage,
  MessageSearch,
  type MessageSearchOptions,
  type MessageSearchResults,
} from "./messages/message-search.ts";
export type { HeldUp } from "./messages/outbox.ts";
export type { RoomFacts, VisitedRoom } from "./messages/room-book.ts";
export { isStarter, starterId } from "./messages/starter.ts";
export { isFamiliar, isSmallPicture, mayAlert, permissionEffect } from "./messages/trust.ts";
export type { FileSearches, FileSearchState } from "./offers/file-search.ts";
export { isSourceError } from "./offers/offer-policy.ts";
export type { OfferOptions } from "./offers/own-files.ts";
export type { CancelTimer, Clock } from "./ports/clock.ts";
export type { Environment } from "./ports/environment.ts";
export type { FileReopener } from "./ports/file-reopener.ts";
export type { Bytes, FileLayout, FileSink, FileStorage, ListedRecord } from "./ports/file-storage.ts";
export type { KeyValueStorage } from "./ports/key-value-storage.ts";
export type { ReadManifest } from "./ports/manifest-reader.ts";
export type { CreateCertificate, CreatePeerConnection, LocalCertificate } from "./ports/peer-connection.ts";
export type { CleanPicture, DrawThumbnail, PictureUse } from "./ports/pictures.ts";
export type { RecordChanges, RecordRange, RecordStorage, StoredRecord } from "./ports/record-storage.ts";
export type { SignallingBackend, SignallingClient } from "./ports/signalling.ts";
export type { VideoCodecs } from "./ports/video-codecs.ts";
export { newRoomId } from "./profile/new-room-id.ts";
export { generatePassword, passwordLengthDefault, passwordLengthMin } from "./profile/password.ts";
export {
  type Profile,
  type ProfileChange,
  ProfileService,
  pickWord,
  profileFields,
  profileKey,
  randomName,
  randomRoomId,
  readProfile,
} from "./profile/profile.ts";
export {
  buildJoinLink,
  decoded,
  type LinkProblem,
  type ReadLink,
  readJoinLink,
  serverHosts,
  serversBeyond,
} from "./room/join-link.ts";
export type { Nearby, NearbyStatus } from "./room/nearby.ts";
export type { QrMeeting } from "./room/qr/qr-meeting.ts";
export {
  peersOf,
  type RoomState,
  roomIdOf,
  type SignallingStatus,
} from "./room/room-state.ts";
export { localTagOf } from "./room/room-tag.ts";
export type { ShortCodes, ShownCode, ShownCodeState } from "./room/short-code.ts";
export type { CodeWords } from "./room/short-code-words.ts";
export {
  isAround,
  type OnlineStatus,
  onlineStatusOf,
  type Peer,
  type PeerProfile,
  type Route,
} from "./session/peer.ts";
export {
  type CameraPreset,
  cameraPresets,
  defaultOptions,
  isOptionName,
  type OptionName,
  type Options,
  type OptionUnit,
  optionTable,
  pictureLengthMax,
  type ScreenPreset,
  type Servers,
  type SkinTone,
  screenPresets,
  serverCountMax,
  skinTones,
  stunUrlSchema,
  type TurnServer,
  turnServerSchema,
} from "./settings/options.ts";
export { type DroppedOption, readOptions } from "./settings/read-options.ts";
export { optionsKey, pictureKey, Settings } from "./settings/settings.ts";
export { freeMemory } from "./shared/free-memory.ts";
export type { Log } from "./shared/log.ts";
export { containsWords, folded, matchesSearch, searchWords } from "./shared/matches-search.ts";
export { SerialQueue } from "./shared/serial-queue.ts";
export { StallWatch, settledInTime } from "./shared/stall-watch.ts";
export { type ReadableStore, untilState } from "./shared/store.ts";
export { systemClock } from "./shared/system-clock.ts";
export { without } from "./shared/without.ts";
export { type SharedListing, type SharedListings, unasked } from "./shares/shared-listing.ts";
export type { PeerProof } from "./signalling/signal-link.ts";
export type { OpenSocket, Socket } from "./signalling/signalling-socket.ts";
export { WebsocketSignalling, type WebsocketSignallingDeps } from "./signalling/websocket-signalling.ts";
export {
  type Compressor,
  ownThreadCompressor,
  type PackedChunk,
  zstdCompressor,
} from "./transfer/compression/compressor.ts";
export { Zstd } from "./transfer/compression/zstd.ts";
export { TransferHost } from "./transfer/engine/transfer-host.ts";
export type { HostMessage, RunEvent, ThreadPort } from "./transfer/engine/transfer-messages.ts";
export type { TransferWorker } from "./transfer/engine-choice.ts";
export {
  isCancelled,
  isLive,
  isOpen,
  type Offer,
  type OfferSide,
  type OfferState,
  offerNow,
  type TransferState,
} from "./transfer/offer-state.ts";
export {
  type TransferKey,
  type TransferSnapshot,
  type TransferSnapshots,
  transferKeyOf,
} from "./transfer/transfer-state.ts";
export { createWarren, type Warren, type WarrenPorts } from "./warren.ts";
