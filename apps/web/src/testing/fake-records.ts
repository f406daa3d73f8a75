import {
  type Contact,
  type FileMessage,
  isLive,
  type LibraryState,
  type Offer,
  type Peer,
  type RoomState,
  type StoredFile,
  type TextMessage,
  type TransferSnapshot,
  type TransferState,
  transferKeyOf,
} from "@warren/core";

/** A valid client id from a small number, readable in tests. */
export function clientIdOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** This browser's client id in tests. */
export const me = clientIdOf(0);

/** A connected room with peers. */
export function roomWith(peers: readonly Peer[]): RoomState {
  return {
    status: "connected",
    roomId: "harbour",
    joinedAt: 0,
    signalling: "online",
    peers: Object.fromEntries(peers.map((peer) => [peer.clientId, peer])),
  };
}

/** A peer in the room, connected by default. */
export function fakePeer(number: number, name: string, change: Partial<Peer> = {}): Peer {
  return {
    clientId: clientIdOf(number),
    order: number,
    session: "connected",
    ready: true,
    attempt: 0,
    nextAttemptAtMs: null,
    profile: { name, avatar: null },
    proof: null,
    connectedAt: null,
    route: null,
    error: null,
    ...change,
  };
}

/** A known contact. */
export function fakeContact(number: number, name: string, change: Partial<Contact> = {}): Contact {
  return {
    clientId: clientIdOf(number),
    name,
    avatar: null,
    proven: false,
    trustLevel: "unverified",
    autoAccept: false,
    clipboardAllowed: false,
    accepted: true,
    muted: false,
    redirect: false,
    createdAt: 0,
    ...change,
  };
}

let lastId = 0;

function head(from: string, conversation: string, at: number) {
  const id = `message-${++lastId}`;
  return {
    key: `${from}/${id}` as const,
    id,
    conversation,
    client: from,
    createdAt: at,
    sortedAt: at,
    deliveries: {},
  };
}

/** A text by `from`, in the conversation with `conversation`. */
export function fakeText(
  from: string,
  conversation: string,
  data: string,
  at: number,
  change: Partial<TextMessage> = {},
): TextMessage {
  return { ...head(from, conversation, at), type: "text", data, ...change };
}

/** What is stored of an offer while its transfer is in a state. */
export function storedOf(state: TransferState): Offer {
  return isLive(state) ? { state: "accepted" } : state;
}

/** A file offered by `from` to or from one peer. */
export function fakeFile(
  from: string,
  conversation: string,
  file: Partial<FileMessage["file"]>,
  offer: TransferState,
  at: number,
  change: Partial<FileMessage> = {},
): FileMessage {
  const other = from === me ? conversation : from;
  const description = {
    fid: `file-${++lastId}-0000`,
    fileName: "call_sheet_day_3.pdf",
    fileSize: 862_000,
    mimeType: "application/octet-stream",
    lastModified: 0,
    chunkSize: 524_288,
    ...file,
  };
  return {
    ...head(from, conversation, at),
    type: "file",
    file: description,
    offers: { [other]: storedOf(offer) },
    ...change,
  };
}

/** A file of this browser, by default received completely from someone. */
export function fakeStoredFile(
  file: Partial<StoredFile["description"]>,
  change: Partial<StoredFile> = {},
): StoredFile {
  const description = {
    fid: `file-${++lastId}-0000`,
    fileName: "call_sheet_day_3.pdf",
    fileSize: 862_000,
    mimeType: "application/pdf",
    lastModified: 0,
    chunkSize: 524_288,
    ...file,
  };
  return {
    description,
    createdAt: 0,
    direction: "received",
    peers: [clientIdOf(1)],
    shared: false,
    saved: false,
    savedAs: null,
    state: "complete",
    location: "storage",
    storedBytes: change.state === "incomplete" ? 0 : description.fileSize,
    ...change,
  };
}

/** The files of this browser, as the library holds them. */
export function libraryOf(files: readonly StoredFile[]): LibraryState {
  return new Map(files.map((file) => [file.description.fid, file]));
}

/** The transfer of a file message to or from one peer. */
export function fakeTransfer(
  message: FileMessage,
  peerId: string,
  change: Partial<TransferSnapshot> = {},
): TransferSnapshot {
  const { fid, fileName, fileSize } = message.file;
  return {
    key: transferKeyOf(peerId, fid),
    peerId,
    fid,
    mode: message.client === me ? "send" : "receive",
    fileName,
    totalBytes: fileSize,
    transferredBytes: 0,
    bytesPerSecond: null,
    secondsLeft: null,
    isSilent: false,
    now: { state: "running" },
    mergingProgress: null,
    startedAt: 0,
    ...change,
  };
}

/** The statistics of a connection to another network. */
export function fakeStats(): RTCStatsReport {
  const pair = {
    type: "candidate-pair",
    id: "pair",
    localCandidateId: "local",
    remoteCandidateId: "remote",
    selected: true,
    bytesSent: 0,
    bytesReceived: 0,
    currentRoundTripTime: 0.002,
  };
  const local = { type: "local-candidate", id: "local", candidateType: "host" };
  const remote = { type: "remote-candidate", id: "remote", candidateType: "srflx" };
  return new Map([pair, local, remote].map((entry) => [entry.id, entry]));
}
