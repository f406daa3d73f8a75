import type { PeerMessage } from "../peer-message.ts";
import type { SealedSignal } from "../sealed-signal.ts";
import type { Signal } from "../signal.ts";
import type { ClientFrame, ServerFrame } from "../signalling.ts";
import type { TransferControl } from "../transfer-control.ts";

/** Two clients; Alice joined first. */
export const alice = "00000000-0000-4000-8000-00000000000a";
export const bob = "00000000-0000-4000-8000-00000000000b";

const room = "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg";
/** Base64url of `count` bytes. */
const bytes = (count: number) => "A".repeat(Math.ceil((count * 4) / 3));
const run = bytes(16);
const publicKey = bytes(91);

/** One valid signal of every relayed kind, in the order of a run. */
export const sealedSignals: readonly SealedSignal[] = [
  { type: "hs1", run, v: 1, C: bytes(32) },
  { type: "hs2", run, rB: bytes(16), fpB: bytes(32), idPubB: publicKey, Yb: bytes(32) },
  {
    type: "hs3",
    run,
    rA: bytes(16),
    fpA: bytes(32),
    idPubA: "",
    Ya: bytes(32),
    Ta: bytes(32),
    sig: bytes(80),
  },
  { type: "hs4", run, Tb: bytes(32), sig: bytes(80) },
  { type: "box", run, seq: 1, kind: "offer", box: "b2ZmZXI" },
  { type: "box", run, seq: 1, kind: "answer", box: "YW5zd2Vy" },
  { type: "box", run, seq: 2, kind: "candidate", box: "Y2FuZGlkYXRl" },
];

/** One valid signal of every kind that a box can hold. */
export const signals: readonly Signal[] = [
  { type: "offer", data: { type: "offer", sdp: "v=0\r\n" } },
  { type: "answer", data: { type: "answer", sdp: "v=0\r\n" } },
  {
    type: "candidate",
    data: {
      candidate: "candidate:1 1 udp 2113937151 a.local 5000 typ host",
      sdpMid: "0",
      sdpMLineIndex: 0,
      usernameFragment: null,
    },
  },
];

const envelope = { id: "message-1", client: alice, target: bob, createdAt: 1_790_000_000_000 };

/** A file of three chunks. */
export const file = {
  fid: "file-0001",
  fileName: "report.pdf",
  fileSize: 1_500_000,
  mimeType: "application/pdf",
  lastModified: 1_780_000_000_000,
  chunkSize: 524_288,
};

/** The fields that turn the file into a tree. */
const tree = {
  kind: "folder",
  files: 1,
  folders: 1,
  manifestSize: 22,
  manifestDigest: "0123456789abcdef".repeat(4),
} as const;

/** One valid frame of every kind a client sends. */
export const clientFrames: readonly ClientFrame[] = [
  {
    type: "hello",
    version: 4,
    clientId: alice,
    server: "wss://warren.example.org",
    publicKey,
    proof: bytes(64),
  },
  { type: "hello", version: 4, clientId: alice, server: "ws://[::1]:8080", publicKey: "", proof: "" },
  { type: "join", room, locked: false },
  { type: "join", room, locked: true, resumeToken: "a.b-c_D" },
  { type: "leave" },
  { type: "admit", clientId: bob },
  { type: "reject", clientId: bob },
  { type: "reject", clientId: bob, reason: "not-admitted" },
  { type: "defer", clientId: bob },
  ...sealedSignals.map((signal) => ({ type: "signal" as const, to: bob, signal })),
  { type: "ping" },
];

/** One valid frame of every kind the server sends. */
export const serverFrames: readonly ServerFrame[] = [
  { type: "challenge", nonce: bytes(32) },
  { type: "welcome", version: 4 },
  { type: "welcome", version: 4, frames: { burst: 150, perSecond: 40 } },
  {
    type: "joined",
    order: 1,
    members: [{ clientId: alice, order: 0 }],
    resumeToken: "token",
  },
  { type: "pending", greeter: { clientId: alice, order: 0 } },
  { type: "pending" },
  { type: "pending", greeter: { clientId: alice, order: 0 }, approval: true },
  { type: "knock", clientId: bob },
  { type: "member-joined", member: { clientId: bob, order: 1 }, resumed: false },
  { type: "member-left", clientId: bob },
  ...sealedSignals.map((signal) => ({ type: "signal" as const, from: alice, signal })),
  { type: "pong" },
  { type: "pong", resumeToken: "a.b-c_D" },
  { type: "error", code: "unknown-member" },
  { type: "drain", afterMs: 20_000 },
];

/** One valid message of every kind of the `message` channel. */
export const peerMessages: readonly PeerMessage[] = [
  { ...envelope, type: "send-text", data: "Hello, \u{1F430}" },
  { ...envelope, type: "send-text", data: "to all", scope: "room" },
  { ...envelope, type: "send-text", data: "Yes", quote: { client: bob, id: "m-000001" } },
  { ...envelope, type: "edit-text", text: "m-000001", data: "Hello!" },
  { ...envelope, type: "delete-text", text: "m-000001" },
  {
    ...envelope,
    type: "react",
    message: { client: bob, id: "m-000001" },
    emoji: ["\u{1F44D}\u{1F3FD}", "\u2764\uFE0F"],
  },
  { ...envelope, type: "react", message: { client: bob, id: "m-000001" }, emoji: [] },
  { ...envelope, type: "typing", scope: "room" },
  { ...envelope, type: "send-clipboard", data: "line 1\n\tline 2", scope: "room" },
  { ...envelope, type: "send-file", ...file },
  { ...envelope, type: "send-file", ...file, sample: "0123456789abcdef".repeat(4) },
  { ...envelope, type: "send-file", ...file, thumbnail: "data:image/webp;base64,UklGRg==" },
  { ...envelope, type: "send-file", ...file, permissions: [[0o644, 1]] },
  { ...envelope, type: "send-file", ...file, tree, manifest: '[["a/b",1499980,0,""]]' },
  { ...envelope, type: "request-file", fid: file.fid },
  { ...envelope, type: "request-file", fid: file.fid, original: { client: envelope.client, id: "m-000009" } },
  {
    ...envelope,
    type: "find-file",
    original: { client: envelope.client, id: "m-000009" },
    proof: "A".repeat(43),
  },
  { ...envelope, type: "check-message", pending: true },
  { ...envelope, type: "check-message", fid: file.fid },
  { ...envelope, type: "resume-file", fid: file.fid },
  { ...envelope, type: "request-storage" },
  { ...envelope, type: "request-storage", after: file.fid },
  { ...envelope, type: "storage", data: [file] },
  { ...envelope, type: "storage", data: [file], total: 2_000, more: true },
  { ...envelope, type: "error", error: "declined", code: "transfer-declined" },
  {
    ...envelope,
    type: "error",
    error: "cache f not found",
    code: "cache-not-found",
    values: { id: "f", tries: 3 },
  },
  { ...envelope, type: "profile", name: "Alice", avatar: "data:image/png;base64,iVBORw0KGgo=" },
  { ...envelope, type: "pause-file", fid: file.fid },
  { ...envelope, type: "pause-file", fid: file.fid, reason: "storage" },
  { ...envelope, type: "cancel-file", fid: file.fid },
  { ...envelope, type: "same-file", root: "0123456789abcdef".repeat(4) },
  ...signals.map((signal) => ({ ...envelope, type: "lane-signal" as const, lane: "lane-0001", signal })),
  { ...envelope, type: "lane-close", lane: "lane-0001" },
  {
    ...envelope,
    type: "media-sources",
    seq: 1,
    sources: [
      { id: "source-1", kind: "screen", label: "Report", mid: "1", width: 1920, height: 1080 },
      {
        id: "source-2",
        kind: "screen-sound",
        label: "Report",
        mid: "2",
        width: 0,
        height: 0,
        muted: true,
        screen: "source-1",
      },
    ],
  },
  {
    ...envelope,
    ...{ type: "profile", name: "Alice", avatar: null },
    ...{ roomLog: true, rings: true, changes: true, ownEntries: true },
  },
  {
    ...envelope,
    type: "heads",
    heads: [{ author: alice, from: 1, whole: 1, n: 2, count: 2, hash: bytes(32), earlier: 1 }],
    members: [{ client: bob, since: 1_790_000_000_000 }],
  },
  { ...envelope, type: "request-entries", author: alice, from: 1, until: 2 },
  { ...envelope, type: "entries", author: alice, entries: [], more: true },
  { ...envelope, type: "entries", entries: [] },
  {
    ...envelope,
    type: "entries",
    author: alice,
    key: publicKey,
    entries: [
      {
        n: 2,
        prev: bytes(32),
        time: 1_790_000_000_000,
        name: "Alice",
        kind: "text",
        body: "Hello",
        signature: bytes(64),
      },
    ],
  },
  { ...envelope, type: "media-refused" },
  { ...envelope, type: "ring", video: true, scope: "room" },
  { ...envelope, type: "ring-answer", answer: "join" },
  { ...envelope, type: "ring-end" },
  { ...envelope, type: "view-sizes", sizes: [{ id: "source-1", width: 1280, height: 720 }] },
];

/** One valid frame of every kind of a transfer channel. */
export const transferControls: readonly TransferControl[] = [
  { type: "request-content", ranges: [0, [2, 5], 9] },
  { type: "request-content", ranges: [], encodings: ["zstd"] },
  { type: "received", ranges: [[0, 3]] },
  { type: "complete", root: "0123456789abcdef".repeat(4) },
];
