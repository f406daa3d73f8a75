const kib = 1024;
const mib = 1024 * kib;

/**
 * The hard limits of the protocol, enforced by decoders regardless of settings. `Bytes` counts bytes (of UTF-8 for
 * texts), `Length` counts characters (code points).
 */
export const limits = {
  /** One WebSocket frame to or from the signalling server. */
  signallingFrameBytes: 64 * kib,
  /** Opening brackets, opening braces and commas in a client's frame. */
  signallingFrameParts: 64,
  /** One relayed signal (a session description or a candidate). */
  signalBytes: 32 * kib,
  /** One JSON frame on the `message` channel. */
  peerFrameBytes: 256 * kib,
  /** The UTF-8 size of one text or clipboard message. */
  textBytes: 200 * kib,
  /** The UTF-8 size of a data-URL avatar. */
  avatarBytes: 64 * kib,
  /** The UTF-8 size of the data-URL thumbnail that goes with an offer. */
  thumbnailBytes: 8 * kib,
  /** The reactions of one person to one message. */
  reactionsPerPerson: 4,
  /** One emoji, in UTF-16 units; those of families and flags are the longest. */
  emojiLength: 32,
  nameLength: 64,
  roomIdLength: 64,
  /** The link of a short code. */
  linkLength: 8_192,
  errorTextLength: 500,
  /** How many values an error can have. */
  errorValues: 16,
  /** File systems allow 255, but Chromium first saves a file as `name.crswap` or `name.crdownload`. */
  fileNameBytes: 240,
  /** A file name as received, before it is made safe. */
  rawNameLength: 4_096,
  mimeTypeLength: 127,
  chunkSizeMin: 16 * kib,
  chunkSizeMax: 4 * mib,
  chunksPerFile: 65_536,
  blockSizeMin: 4 * kib,
  blockSizeMax: 256 * kib - 64,
  rangePairs: 4_096,
  storageEntries: 1_000,
  /** Files and empty folders of one tree. */
  treeEntries: 100_000,
  /** Files and folders of one tree, including the folders that appear only in paths. */
  treeSegments: 200_000,
  treeDepth: 32,
  /** A safe path of a tree. macOS allows 1,024 for a whole path. */
  treePathBytes: 900,
  /** A path of a tree as received. */
  treePathLength: 4_096,
  /** The UTF-8 size of a tree's manifest. */
  manifestBytes: 16 * mib,
  /** The UTF-8 size of a manifest inside an offer; quoting can double it within the frame. */
  offeredManifestBytes: 96 * kib,
  /** How often the permissions of a tree's files may change, in their order. */
  permissionRuns: 1_024,
  roomMembers: 256,
  /** Members of the room of a network. */
  nearbyMembers: 32,
  /** Addresses of a server's relays. */
  turnUrls: 8,
  /** The lanes between two clients, counted over both sides. */
  lanes: 7,
  /** The sources that one person shares at once: a camera, a microphone, and screens with their audio. */
  mediaSources: 8,
  sourceLabelLength: 80,
  /** The number of an author's last entry in the log of a room. */
  entryNumber: 9_999_999_999,
  /** Authors and members of one message about the log of a room. */
  logAuthors: 200,
  /** The bodies of the entries in one message; a single one may be larger. */
  entryPageBytes: 64 * kib,
  /** Entries in one message. */
  entriesPerPage: 200,
  /** The width or height of a picture, in pixels. */
  pictureSide: 16_384,
} as const;
