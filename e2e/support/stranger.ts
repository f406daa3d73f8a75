import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  pbkdf2Sync,
  randomBytes,
  randomUUID,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { ristretto255, ristretto255_hasher } from "@noble/curves/ed25519.js";
import { type DataChannel, PeerConnection } from "node-datachannel";
import WebSocket from "ws";

/**
 * An independent client for Node, written from docs/protocol.md and docs/security.md alone. It imports nothing else from
 * this repository, so a test in which it meets a real page proves that the documents are complete and correct.
 * It joins open and locked rooms, greets newcomers, exchanges texts, writes and passes on what is said to everyone, reads what was
 * said before it came, and sends and receives files.
 */

// --- Bytes -----------------------------------------------------------------------------------------------------------

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const fromBase64url = (text: string): Buffer => Buffer.from(text, "base64url");
const sha256 = (...parts: (Uint8Array | string)[]): Buffer => digest("sha256", parts);
const sha512 = (...parts: (Uint8Array | string)[]): Buffer => digest("sha512", parts);

function digest(algorithm: string, parts: (Uint8Array | string)[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** Each part behind its length in LEB128. */
function lv(...parts: (Uint8Array | string)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part as string);
      const length: number[] = [];
      let rest = bytes.length;
      do {
        length.push((rest & 127) | (rest > 127 ? 128 : 0));
        rest >>= 7;
      } while (rest > 0);
      return [Buffer.from(length), bytes];
    }),
  );
}

// --- Identity and certificate ----------------------------------------------------------------------------------------

interface Identity {
  readonly clientId: string;
  readonly publicKey: Buffer;
  readonly privateKey: KeyObject;
}

function clientIdOf(publicKey: Uint8Array): string {
  const bits = BigInt(`0x${sha256("id/1", publicKey).subarray(0, 16).toString("hex")}`) >> 6n;
  const head = bits >> 74n;
  const middle = (bits >> 62n) & 0xfffn;
  const tail = bits & ((1n << 62n) - 1n);
  const value = (head << 80n) | (4n << 76n) | (middle << 64n) | (2n << 62n) | tail;
  return value
    .toString(16)
    .padStart(32, "0")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function createIdentity(): Identity {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  return { clientId: clientIdOf(spki), publicKey: spki, privateKey };
}

const signWith = (key: KeyObject, bytes: Uint8Array): Buffer =>
  sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });

interface Certificate {
  readonly certificatePem: string;
  readonly keyPem: string;
  readonly fingerprint: Buffer;
}

/** A self-signed certificate, made here because the handshake needs its fingerprint before there is a connection. */
function createCertificate(): Certificate {
  const der = (tag: number, ...contents: Uint8Array[]): Buffer => {
    const content = Buffer.concat(contents);
    const long =
      content.length > 255 ? [0x82, content.length >> 8, content.length & 255] : [0x81, content.length];
    return Buffer.concat([Buffer.from([tag, ...(content.length > 127 ? long : [content.length])]), content]);
  };
  const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
  const time = (at: number): Buffer =>
    der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-T:]/g, "")}Z`));
  const pem = (label: string, bytes: Buffer): string =>
    `-----BEGIN ${label}-----\n${bytes
      .toString("base64")
      .match(/.{1,64}/g)
      ?.join("\n")}\n-----END ${label}-----\n`;
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(0x30, oid("2a8648ce3d040302"));
  const name = der(0x30, der(0x31, der(0x30, oid("550403"), der(0x0c, Buffer.from("stranger")))));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(0x30, time(Date.now() - 86_400_000), time(Date.now() + 86_400_000)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    certificatePem: pem("CERTIFICATE", certificate),
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    fingerprint: sha256(certificate),
  };
}

function fingerprintIn(sdp: string): Buffer {
  const lines = new Set(sdp.match(/^a=fingerprint:.*$/gim));
  const [line = ""] = lines;
  const [, value] = /^a=fingerprint:sha-256 ((?:[0-9a-f]{2}:){31}[0-9a-f]{2})\s*$/i.exec(line) ?? [];
  if (lines.size !== 1 || value === undefined) throw new Error("the description names no single certificate");
  return Buffer.from(value.replaceAll(":", ""), "hex");
}

// --- A queue to await ------------------------------------------------------------------------------------------------

/** A queue of items to await: `next` takes the first that matches, now or when it arrives. */
class Inbox<Item> {
  readonly #what: string;
  readonly #items: Item[] = [];
  readonly #waiting = new Set<{
    matches(item: Item): boolean;
    take(item: Item): void;
    fail(error: Error): void;
  }>();
  #use: ((item: Item) => void) | undefined;
  #ended: Error | undefined;

  constructor(what: string) {
    this.#what = what;
  }

  push(item: Item): void {
    const waiter = [...this.#waiting].find((waiter) => waiter.matches(item));
    if (this.#use !== undefined) this.#use(item);
    else if (waiter !== undefined) waiter.take(item);
    else this.#items.push(item);
  }

  end(error: Error): void {
    this.#ended ??= error;
    for (const waiter of this.#waiting) waiter.fail(error);
  }

  /** Passes every queued and every later item to `use`. */
  forEach(use: (item: Item) => void): void {
    this.#use = use;
    for (const item of this.#items.splice(0)) use(item);
  }

  next<Wanted extends Item>(matches: (item: Item) => item is Wanted, waitMs?: number): Promise<Wanted>;
  next(matches?: (item: Item) => boolean, waitMs?: number): Promise<Item>;
  next(matches: (item: Item) => boolean = () => true, waitMs = 30_000): Promise<Item> {
    const at = this.#items.findIndex(matches);
    const [found] = at < 0 ? [] : this.#items.splice(at, 1);
    if (found !== undefined) return Promise.resolve(found);
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
      };
      const waiter = {
        matches,
        take: (item: Item) => {
          finish();
          resolve(item);
        },
        fail: (error: Error) => {
          finish();
          reject(error);
        },
      };
      const timer = setTimeout(
        () => waiter.fail(new Error(`${this.#what}: nothing came in ${waitMs} ms`)),
        waitMs,
      );
      this.#waiting.add(waiter);
    });
  }
}

// --- The handshake ---------------------------------------------------------------------------------------------------

type Side = "A" | "B";
type BoxKind = "offer" | "answer" | "candidate";

interface Hs1 {
  type: "hs1";
  run: string;
  v: 1;
  C: string;
}
interface Hs2 {
  type: "hs2";
  run: string;
  rB: string;
  fpB: string;
  idPubB: string;
  Yb: string;
}
interface Hs3 {
  type: "hs3";
  run: string;
  rA: string;
  fpA: string;
  idPubA: string;
  Ya: string;
  Ta: string;
  sig: string;
}
interface Hs4 {
  type: "hs4";
  run: string;
  Tb: string;
  sig: string;
}
interface Box {
  type: "box";
  run: string;
  seq: number;
  kind: BoxKind;
  box: string;
}
type Signal = Hs1 | Hs2 | Hs3 | Hs4 | Box;

type Description = { type: "offer" | "answer"; sdp: string };
type Candidate = { candidate: string; sdpMid?: string | null };

/** The inputs of one side of a run. */
interface RunSetting {
  readonly roomTag: Uint8Array;
  readonly passwordHash: Uint8Array;
  readonly identity: Identity;
  readonly fingerprint: Uint8Array;
  readonly peerId: string;
}

/** The values that each side reveals to the other. */
interface Shown {
  readonly nonce: Uint8Array;
  readonly fingerprint: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly share: Uint8Array;
}

class IncorrectPassword extends Error {
  constructor() {
    super("incorrect password");
  }
}

/** The formulas of docs/security.md for one side of one run. */
class Run {
  readonly id: string;
  readonly #setting: RunSetting;
  readonly #side: Side;
  readonly #nonce = randomBytes(16);
  #sid: Buffer = Buffer.alloc(0);
  #secret = 1n;
  #generator = ristretto255.Point.BASE;
  #share: Uint8Array = Buffer.alloc(0);
  #isk: Buffer = Buffer.alloc(0);
  #transcript: Buffer = Buffer.alloc(0);
  #peerFingerprint: Uint8Array = Buffer.alloc(0);
  #peerKey: Uint8Array = Buffer.alloc(0);
  #sent = 0;
  #opened = -1;

  constructor(side: Side, id: string, setting: RunSetting) {
    this.id = id;
    this.#side = side;
    this.#setting = setting;
  }

  get nonce(): Uint8Array {
    return this.#nonce;
  }

  get peerKey(): Uint8Array {
    return this.#peerKey;
  }

  get share(): Uint8Array {
    return this.#share;
  }

  get commitment(): Buffer {
    return commitmentOf(this.#nonce, this.#setting.fingerprint, this.#setting.identity.publicKey);
  }

  /** Derives the generator and our share, from A's commitment and B's nonce. */
  begin(commitment: Uint8Array, nonceB: Uint8Array): void {
    const { roomTag, passwordHash } = this.#setting;
    this.#sid = sha256(lv("sid/1", commitment, nonceB));
    const [clientA, clientB] = this.#clients();
    const ci = lv("app/1", roomTag, "init", clientA, "resp", clientB);
    const label = "CPaceRistretto255";
    const padding = Math.max(0, 128 - 1 - lv(passwordHash).length - lv(label).length);
    const generator = lv(label, passwordHash, Buffer.alloc(padding), ci, this.#sid);
    const derive = ristretto255_hasher.deriveToCurve;
    if (derive === undefined) throw new Error("@noble/curves derives no elements");
    this.#generator = derive(sha512(generator));
    do this.#secret = BigInt(`0x${randomBytes(32).toString("hex")}`) >> 4n;
    while (this.#secret === 0n);
    this.#share = this.#generator.multiply(this.#secret).toBytes();
  }

  /** Checks the peer's values and derives the shared key. @throws Error if one is invalid */
  agree(peer: Shown): void {
    if (peer.publicKey.length > 0 && clientIdOf(peer.publicKey) !== this.#setting.peerId) {
      throw new Error("the peer's id does not follow from its key");
    }
    const point = ristretto255.Point.fromBytes(peer.share);
    if (point.is0()) throw new Error("the peer's share is the neutral element");
    const own: Shown = {
      nonce: this.#nonce,
      fingerprint: this.#setting.fingerprint,
      publicKey: this.#setting.identity.publicKey,
      share: this.#share,
    };
    const [a, b] = this.#side === "A" ? [own, peer] : [peer, own];
    const data = (side: Shown) => lv(side.nonce, side.fingerprint, side.publicKey);
    this.#transcript = lv(a.share, data(a), b.share, data(b));
    const shared = point.multiply(this.#secret).toBytes();
    this.#isk = sha512(lv("CPaceRistretto255_ISK", this.#sid, shared), this.#transcript);
    this.#peerFingerprint = peer.fingerprint;
    this.#peerKey = peer.publicKey;
  }

  tag(side: Side): Buffer {
    return createHmac("sha256", this.#key(`mac ${side}`))
      .update(this.#transcript)
      .digest();
  }

  checkTag(tag: string): void {
    const bytes = fromBase64url(tag);
    const expected = this.tag(this.#other);
    if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) throw new IncorrectPassword();
  }

  /** Our signature, sealed as our box 0. */
  signature(): string {
    return this.#seal("sig", signWith(this.#setting.identity.privateKey, this.#signedBy(this.#side)));
  }

  checkSignature(box: string, publicKey: Uint8Array): void {
    const signature = this.#open(0, "sig", box);
    if (publicKey.length === 0) return;
    const key = createPublicKey({ key: Buffer.from(publicKey), format: "der", type: "spki" });
    const isRight = verify(
      "sha256",
      this.#signedBy(this.#other),
      { key, dsaEncoding: "ieee-p1363" },
      signature,
    );
    if (!isRight) throw new Error("the signature is not the peer's");
  }

  seal(kind: BoxKind, data: Description | Candidate): Box {
    const seq = this.#sent;
    const box = this.#seal(kind, Buffer.from(JSON.stringify(data)));
    return { type: "box", run: this.id, seq, kind, box };
  }

  /** Opens a box. @throws Error if a description names a different certificate than the peer committed to */
  open({ seq, kind, box }: Box): Description | Candidate {
    const data = JSON.parse(this.#open(seq, kind, box).toString()) as Description | Candidate;
    if ("sdp" in data && !fingerprintIn(data.sdp).equals(this.#peerFingerprint)) {
      throw new Error("the description names another certificate than the handshake");
    }
    return data;
  }

  /** The `proof` of our `bind` message, or of the peer's. */
  bind(sender: "mine" | "peer"): Buffer {
    const own = this.#setting.fingerprint;
    const peer = this.#peerFingerprint;
    const value = sender === "mine" ? lv(this.#side, own, peer) : lv(this.#other, peer, own);
    return createHmac("sha256", this.#key("bind")).update(value).digest();
  }

  get #other(): Side {
    return this.#side === "A" ? "B" : "A";
  }

  #clients(): [string, string] {
    const own = this.#setting.identity.clientId;
    return this.#side === "A" ? [own, this.#setting.peerId] : [this.#setting.peerId, own];
  }

  #key(label: string): Buffer {
    return Buffer.from(hkdfSync("sha256", this.#isk, this.#sid, label, 32));
  }

  #signedBy(side: Side): Buffer {
    const own = this.#setting.fingerprint;
    const [fpA, fpB] = this.#side === "A" ? [own, this.#peerFingerprint] : [this.#peerFingerprint, own];
    return lv("id/1", this.#sid, side, ...this.#clients(), fpA, fpB);
  }

  #seal(kind: BoxKind | "sig", plaintext: Uint8Array): string {
    const seq = this.#sent++;
    const direction = this.#side === "A" ? "A>B" : "B>A";
    const cipher = createCipheriv("aes-256-gcm", this.#key(`seal ${direction}`), boxNonce(seq));
    cipher.setAAD(lv(this.#sid, direction, u64(seq), kind));
    return base64url(Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]));
  }

  #open(seq: number, kind: BoxKind | "sig", box: string): Buffer {
    if (seq <= this.#opened) throw new Error("a box came twice");
    const direction = this.#side === "A" ? "B>A" : "A>B";
    const bytes = fromBase64url(box);
    const decipher = createDecipheriv("aes-256-gcm", this.#key(`seal ${direction}`), boxNonce(seq));
    decipher.setAAD(lv(this.#sid, direction, u64(seq), kind));
    decipher.setAuthTag(bytes.subarray(-16));
    const plaintext = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
    this.#opened = seq;
    return plaintext;
  }
}

const boxNonce = (seq: number): Buffer => Buffer.concat([Buffer.alloc(4), u64(seq)]);

const commitmentOf = (nonce: Uint8Array, fingerprint: Uint8Array, publicKey: Uint8Array): Buffer =>
  sha256(lv("commit/1", nonce, fingerprint, publicKey));

type SendSignal = (signal: Signal) => void;

const isHs2 = (signal: Signal): signal is Hs2 => signal.type === "hs2";
const isHs3 = (signal: Signal): signal is Hs3 => signal.type === "hs3";
const isHs4 = (signal: Signal): signal is Hs4 => signal.type === "hs4";
const isBox = (signal: Signal): signal is Box => signal.type === "box";

/** Side A of a run. `offer` follows hs3; a run for admission to a locked room has none. */
async function initiate(
  setting: RunSetting,
  run: Run,
  signals: Inbox<Signal>,
  send: SendSignal,
  offer?: Description,
): Promise<void> {
  const own = { fp: base64url(setting.fingerprint), idPub: base64url(setting.identity.publicKey) };
  send({ type: "hs1", run: run.id, v: 1, C: base64url(run.commitment) });
  const hs2 = await signals.next(isHs2);
  run.begin(run.commitment, fromBase64url(hs2.rB));
  const publicKey = fromBase64url(hs2.idPubB);
  run.agree({
    nonce: fromBase64url(hs2.rB),
    fingerprint: fromBase64url(hs2.fpB),
    publicKey,
    share: fromBase64url(hs2.Yb),
  });
  send({
    type: "hs3",
    run: run.id,
    rA: base64url(run.nonce),
    fpA: own.fp,
    idPubA: own.idPub,
    Ya: base64url(run.share),
    Ta: base64url(run.tag("A")),
    sig: run.signature(),
  });
  if (offer !== undefined) send(run.seal("offer", offer));
  const hs4 = await signals.next(isHs4);
  run.checkTag(hs4.Tb);
  run.checkSignature(hs4.sig, publicKey);
}

/** Side B of a run. */
async function respond(
  setting: RunSetting,
  run: Run,
  hs1: Hs1,
  signals: Inbox<Signal>,
  send: SendSignal,
): Promise<void> {
  const commitment = fromBase64url(hs1.C);
  run.begin(commitment, run.nonce);
  send({
    type: "hs2",
    run: run.id,
    rB: base64url(run.nonce),
    fpB: base64url(setting.fingerprint),
    idPubB: base64url(setting.identity.publicKey),
    Yb: base64url(run.share),
  });
  const hs3 = await signals.next(isHs3);
  const shown = {
    nonce: fromBase64url(hs3.rA),
    fingerprint: fromBase64url(hs3.fpA),
    publicKey: fromBase64url(hs3.idPubA),
    share: fromBase64url(hs3.Ya),
  };
  if (!commitmentOf(shown.nonce, shown.fingerprint, shown.publicKey).equals(commitment)) {
    throw new Error("hs3 does not open the commitment of hs1");
  }
  run.agree(shown);
  run.checkTag(hs3.Ta);
  run.checkSignature(hs3.sig, shown.publicKey);
  send({ type: "hs4", run: run.id, Tb: base64url(run.tag("B")), sig: run.signature() });
}

// --- Messages --------------------------------------------------------------------------------------------------------

interface Envelope {
  id: string;
  client: string;
  target: string;
  createdAt: number;
}

interface FileDescription {
  fid: string;
  fileName: string;
  fileSize: number;
  mimeType: string;
  lastModified: number;
  chunkSize: number;
}

type FileOffer = { type: "send-file" } & FileDescription;

type Body =
  | { type: "bind"; proof: string }
  | { type: "profile"; name: string; avatar: string | null; roomLog?: true; ownEntries?: true }
  | { type: "heads"; heads: Head[]; members: { client: string; since: number }[]; again?: true }
  | { type: "request-entries"; author: string; from: number; until: number }
  | { type: "entries"; author?: string; key?: string; entries: Entry[]; more?: true }
  | { type: "send-text"; data: string; scope?: "room" }
  | { type: "check-message"; fid?: string; pending?: true; accepted?: true }
  | { type: "error"; error: string; code?: string }
  | FileOffer
  | { type: "find-file"; proof: string }
  | { type: "request-storage" }
  | { type: "storage"; data: FileOffer[] }
  | { type: "lane-signal"; lane: string; signal: { type: string } }
  | { type: "lane-close"; lane: string };

type Message = Body & Envelope;
type MessageOf<Type extends Body["type"]> = Extract<Message, { type: Type }>;
type BodyOf<Type extends Body["type"]> = Extract<Body, { type: Type }>;

type Control =
  | { type: "request-content"; ranges: (number | [number, number])[]; encodings?: string[] }
  | { type: "received"; ranges: (number | [number, number])[] }
  | { type: "complete"; root: string };

// --- Files -----------------------------------------------------------------------------------------------------------

const lastBlock = 1;
const deflated = 2;
const chunkDigestFollows = 4;
const headerBytes = 7;
const chunkDigestBytes = 32;

const leafOf = (chunk: Uint8Array): Buffer => sha256(chunk);
const chunkDigestOf = (chunk: number, leaf: Uint8Array): Buffer => sha256(Buffer.from([0]), u32(chunk), leaf);

function rootOf(fileSize: number, chunkSize: number, leaves: readonly Uint8Array[]): string {
  return sha256(Buffer.from([1]), u64(fileSize), u32(chunkSize), ...leaves).toString("hex");
}

/** Assembles a chunk from its blocks, which arrive in any order. */
class IncomingChunk {
  readonly #blocks = new Map<number, Buffer>();
  #last: number | undefined;
  #isDeflated = false;
  #chunkDigest: Buffer | undefined;

  /** Adds a block. @returns the bytes of the chunk once it is complete and its chunk digest matches */
  take(block: Buffer, chunk: number, size: number): Buffer | undefined {
    const number = block.readUInt16BE(4);
    const flags = block.readUInt8(6);
    if ((flags & ~(lastBlock | deflated | chunkDigestFollows)) !== 0)
      throw new Error(`a block has the flags ${flags}`);
    const hasChunkDigest = (flags & chunkDigestFollows) !== 0;
    const end = hasChunkDigest ? block.length - chunkDigestBytes : block.length;
    this.#blocks.set(number, block.subarray(headerBytes, end));
    this.#isDeflated = (flags & deflated) !== 0;
    if ((flags & lastBlock) !== 0) this.#last = number;
    if (hasChunkDigest) this.#chunkDigest = block.subarray(end);
    if (this.#last === undefined || this.#blocks.size <= this.#last) return undefined;
    const parts = Array.from({ length: this.#last + 1 }, (_, at) => this.#blocks.get(at) ?? Buffer.alloc(0));
    const packed = Buffer.concat(parts);
    const bytes = this.#isDeflated ? inflateRawSync(packed, { maxOutputLength: size }) : packed;
    if (bytes.length !== size) throw new Error(`chunk ${chunk} has ${bytes.length} bytes, not ${size}`);
    if (this.#chunkDigest !== undefined && !chunkDigestOf(chunk, leafOf(bytes)).equals(this.#chunkDigest)) {
      throw new Error(`the digest of chunk ${chunk} is wrong`);
    }
    return bytes;
  }
}

const chunkSizeAt = (offer: FileDescription, chunk: number): number =>
  Math.min(offer.chunkSize, offer.fileSize - chunk * offer.chunkSize);

export interface ReceivedFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** How many chunks arrived compressed with deflate. */
  readonly deflatedChunks: number;
}

/** A file being received: requests its chunks, and is complete when its root matches. */
class IncomingFile {
  readonly #offer: FileDescription;
  readonly #chunks = new Map<number, Buffer>();
  readonly #unfinished = new Map<number, IncomingChunk>();
  readonly #deflated = new Set<number>();
  readonly #results = new Inbox<ReceivedFile>("a file");
  #hasAsked = false;

  constructor(offer: FileDescription) {
    this.#offer = offer;
  }

  received(): Promise<ReceivedFile> {
    return this.#results.next(undefined, 60_000);
  }

  addChannel(channel: DataChannel): void {
    const send = (control: Control): void => {
      channel.sendMessage(JSON.stringify(control));
    };
    channel.onMessage((message) => {
      try {
        if (typeof message === "string") this.#onControl(JSON.parse(message) as Control, send);
        else this.#onBlock(Buffer.from(message as Buffer), send);
      } catch (error) {
        this.#results.end(error as Error);
      }
    });
    if (!this.#hasAsked) this.#ask(send);
    this.#hasAsked = true;
  }

  get #chunkCount(): number {
    return Math.ceil(this.#offer.fileSize / this.#offer.chunkSize);
  }

  #ask(send: (control: Control) => void): void {
    const ranges = Array.from({ length: this.#chunkCount }, (_, chunk) => chunk).filter(
      (chunk) => !this.#chunks.has(chunk),
    );
    send({ type: "request-content", ranges, encodings: [] });
  }

  #onBlock(block: Buffer, send: (control: Control) => void): void {
    const number = block.readUInt32BE(0);
    if (number >= this.#chunkCount || this.#chunks.has(number)) return;
    const chunk = this.#unfinished.get(number) ?? new IncomingChunk();
    this.#unfinished.set(number, chunk);
    if ((block.readUInt8(6) & deflated) !== 0) this.#deflated.add(number);
    const bytes = chunk.take(block, number, chunkSizeAt(this.#offer, number));
    if (bytes === undefined) return;
    this.#chunks.set(number, bytes);
    this.#unfinished.delete(number);
    send({ type: "received", ranges: [number] });
  }

  #onControl(control: Control, send: (control: Control) => void): void {
    if (control.type !== "complete") return;
    if (this.#chunks.size < this.#chunkCount) {
      this.#ask(send);
      return;
    }
    const { fileName, fileSize, chunkSize } = this.#offer;
    const chunks = Array.from(
      { length: this.#chunkCount },
      (_, at) => this.#chunks.get(at) ?? Buffer.alloc(0),
    );
    const root = rootOf(fileSize, chunkSize, chunks.map(leafOf));
    if (root !== control.root) throw new Error("the root is wrong");
    send({ type: "complete", root });
    const deflatedChunks = this.#deflated.size;
    this.#results.push({ name: fileName, bytes: Buffer.concat(chunks), deflatedChunks });
  }
}

/** Sends a file's chunks uncompressed over one channel until the receiver confirms the root. */
async function sendChunks(channel: DataChannel, offer: FileDescription, bytes: Buffer): Promise<void> {
  const blockData = 64 * 1024;
  const chunks = Array.from({ length: Math.ceil(offer.fileSize / offer.chunkSize) }, (_, at) =>
    bytes.subarray(at * offer.chunkSize, (at + 1) * offer.chunkSize),
  );
  const root = rootOf(offer.fileSize, offer.chunkSize, chunks.map(leafOf));
  const controls = new Inbox<Control>("a transfer");
  channel.onMessage((message) => {
    if (typeof message === "string") controls.push(JSON.parse(message) as Control);
  });
  channel.onClosed(() => controls.end(new Error("the transfer channel closed")));
  channel.setBufferedAmountLowThreshold(256 * 1024);
  for (;;) {
    const control = await controls.next();
    if (control.type === "complete") {
      if (control.root !== root) throw new Error("the receiver has another root");
      return;
    }
    if (control.type !== "request-content") continue;
    for (const range of control.ranges) {
      const [start, end] = typeof range === "number" ? [range, range] : range;
      for (let chunk = start; chunk <= end; chunk += 1) {
        const data = chunks[chunk] ?? Buffer.alloc(0);
        for (let at = 0, block = 0; at < data.length; at += blockData, block += 1) {
          const isLast = at + blockData >= data.length;
          const header = Buffer.alloc(headerBytes);
          header.writeUInt32BE(chunk);
          header.writeUInt16BE(block, 4);
          header.writeUInt8(isLast ? lastBlock | chunkDigestFollows : 0, 6);
          const chunkDigest = isLast ? chunkDigestOf(chunk, leafOf(data)) : Buffer.alloc(0);
          while (channel.bufferedAmount() > 1024 * 1024) {
            await new Promise<void>((resolve) => channel.onBufferedAmountLow(resolve));
          }
          channel.sendMessageBinary(Buffer.concat([header, data.subarray(at, at + blockData), chunkDigest]));
        }
      }
    }
    channel.sendMessage(JSON.stringify({ type: "complete", root } satisfies Control));
  }
}

// --- The log of the room ---------------------------------------------------------------------------------------------

interface Entry {
  n: number;
  prev?: string;
  time: number;
  name: string;
  kind: string;
  about?: { client: string; id: string };
  body: string;
  signature: string;
}

interface Head {
  author: string;
  from: number;
  whole: number;
  n: number;
  count: number;
  hash: string;
  earlier?: number;
}

/** Something said to everyone. */
interface Said {
  readonly text: string;
  /** Whether it was said before we came. */
  readonly isEarlier: boolean;
}

interface AuthorLog {
  readonly key: string;
  readonly entries: Map<number, Entry>;
}

/** What everyone said, by author. It gives all members all it has: it met them before anything was written. */
class StrangerLog {
  readonly #tag: Buffer;
  readonly #identity: Identity;
  readonly #authors = new Map<string, AuthorLog>();

  constructor(tag: Buffer, identity: Identity) {
    this.#tag = tag;
    this.#identity = identity;
  }

  write(name: string, kind: string, body: string): Entry {
    const { clientId, publicKey, privateKey } = this.#identity;
    const last = [...this.#logOf(clientId, base64url(publicKey)).entries.values()].at(-1);
    const next = {
      n: (last?.n ?? 0) + 1,
      ...(last && { prev: this.#hashOf(clientId, last) }),
      ...{ time: Date.now(), name, kind, body, signature: "" },
    };
    const signature = base64url(signWith(privateKey, this.#signedBytes(clientId, next)));
    const entry = { ...next, signature };
    this.#logOf(clientId, base64url(publicKey)).entries.set(entry.n, entry);
    return entry;
  }

  /** The id of the message that shows an entry. */
  messageIdOf(author: string, entry: Entry): string {
    return `${String(entry.n).padStart(10, "0")}-${this.#hashOf(author, entry)}`;
  }

  /** Takes what its author signed. @returns what was new */
  take(author: string, key: string, entries: readonly Entry[]): Entry[] {
    if (entries.length > 0 && clientIdOf(fromBase64url(key)) !== author)
      throw new Error("the key is another author's");
    const publicKey =
      entries.length > 0 && createPublicKey({ key: fromBase64url(key), format: "der", type: "spki" });
    return entries.filter((entry) => {
      const signed = this.#signedBytes(author, entry);
      const signature = fromBase64url(entry.signature);
      if (!publicKey || !verify("sha256", signed, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature))
        throw new Error(`entry ${entry.n} is not its author's`);
      const log = this.#logOf(author, key);
      const before = log.entries.get(entry.n - 1);
      if (before !== undefined && this.#hashOf(author, before) !== entry.prev)
        throw new Error(`entry ${entry.n} follows another one`);
      const isNew = !log.entries.has(entry.n);
      log.entries.set(entry.n, entry);
      return isNew;
    });
  }

  heads(only?: string): BodyOf<"heads"> {
    const heads = [...this.#authors].flatMap(([author, { entries }]): Head[] => {
      const numbers = [...entries.keys()].sort((one, other) => one - other);
      const [from, n] = [numbers[0], numbers.at(-1)];
      const last = n === undefined ? undefined : entries.get(n);
      if (from === undefined || n === undefined || last === undefined) return [];
      if (only !== undefined && author !== only) return [];
      let whole = n;
      while (entries.has(whole - 1)) whole--;
      return [{ author, from, whole, n, count: numbers.length, hash: this.#hashOf(author, last) }];
    });
    return { type: "heads", heads, members: [] };
  }

  /** What is missing of what a member has. */
  requests(heads: readonly Head[]): BodyOf<"request-entries">[] {
    return heads.flatMap(({ author, from, n }) => {
      const has = this.#authors.get(author)?.entries;
      let first = from;
      while (has?.has(first)) first++;
      return first > n ? [] : [{ type: "request-entries", author, from: first, until: n }];
    });
  }

  answer({ author, from, until }: Omit<BodyOf<"request-entries">, "type">): BodyOf<"entries"> {
    const { key, entries } = this.#authors.get(author) ?? {};
    const asked = [...(entries?.values() ?? [])]
      .filter(({ n }) => n >= from && n <= until)
      .sort((one, other) => one.n - other.n);
    return { type: "entries", author, ...(key && asked.length > 0 && { key }), entries: asked };
  }

  #logOf(author: string, key: string): AuthorLog {
    const known = this.#authors.get(author) ?? { key, entries: new Map<number, Entry>() };
    this.#authors.set(author, known);
    return known;
  }

  #hashOf(author: string, entry: Entry): string {
    return base64url(sha256(this.#signedBytes(author, entry)));
  }

  #signedBytes(author: string, { n, prev, time, name, kind, about, body }: Entry): Buffer {
    const before = prev === undefined ? "" : fromBase64url(prev);
    const subject = about === undefined ? "" : `${about.client}/${about.id}`;
    return lv("entry/1", this.#tag, author, u64(n), before, u64(time), name, kind, subject, body);
  }
}

// --- A peer ----------------------------------------------------------------------------------------------------------

/** Another member of the room, connected and verified. */
export class StrangerPeer {
  readonly id: string;
  readonly #ownId: string;
  readonly #ownName: string;
  readonly #connection: PeerConnection;
  readonly #run: Run;
  readonly #log: StrangerLog;
  readonly #entries = new Inbox<Said>("a text to everyone");
  /** Up to which entry of each author what this peer gives is from before we came. */
  readonly #earlier = new Map<string, number>();
  readonly #answers = new Inbox<MessageOf<"check-message"> | MessageOf<"error">>("an answer");
  readonly #texts = new Inbox<MessageOf<"send-text">>("a text");
  readonly #offers = new Inbox<MessageOf<"send-file">>("an offer");
  readonly #profiles = new Inbox<MessageOf<"profile">>("a profile");
  readonly #incoming = new Map<string, IncomingFile>();
  #channel: DataChannel | undefined;
  #isBound = false;
  name = "";

  constructor(
    ownId: string,
    ownName: string,
    id: string,
    run: Run,
    connection: PeerConnection,
    log: StrangerLog,
  ) {
    this.id = id;
    this.#log = log;
    this.#ownId = ownId;
    this.#run = run;
    this.#connection = connection;
    this.#ownName = ownName;
    connection.onDataChannel((channel) => this.addChannel(channel));
  }

  addChannel(channel: DataChannel): void {
    if (channel.getProtocol() === "message") {
      this.#channel = channel;
      let isGreeted = false;
      const greet = (): void => {
        if (isGreeted) return;
        isGreeted = true;
        this.#post({ type: "bind", proof: base64url(this.#run.bind("mine")) });
        this.#post({ type: "profile", name: this.#ownName, avatar: null, roomLog: true, ownEntries: true });
      };
      channel.onMessage((text) => {
        // On a busy machine messages are delivered before the event that the channel is open.
        greet();
        this.#onMessage(JSON.parse(String(text)) as Message);
      });
      if (channel.isOpen()) greet();
      else channel.onOpen(greet);
      return;
    }
    const label = channel.getLabel();
    const file = this.#incoming.get(label.slice(0, label.lastIndexOf("-")));
    if (channel.getProtocol() !== "transfer" || file === undefined) channel.close();
    else if (channel.isOpen()) file.addChannel(channel);
    else channel.onOpen(() => file.addChannel(channel));
  }

  /** Waits for the peer's profile. */
  async met(): Promise<void> {
    this.name = (await this.#profiles.next()).name;
  }

  /** Resolves once the peer has acknowledged the text. */
  async sendText(data: string): Promise<void> {
    await this.#answered(this.#post({ type: "send-text", data }));
  }

  async nextText(): Promise<string> {
    return (await this.#texts.next()).data;
  }

  /** Sends an entry of our own that is new. */
  give(entry: Entry): void {
    this.#post(this.#log.answer({ author: this.#ownId, from: entry.n, until: entry.n }));
  }

  /** The next text to everyone that came from this peer, whoever wrote it. */
  nextOfEveryone(): Promise<Said> {
    return this.#entries.next();
  }

  /** Accepts the next offered file, and resolves once it has arrived completely. */
  async receiveFile(): Promise<ReceivedFile> {
    const offer = await this.#offers.next();
    const file = new IncomingFile(offer);
    this.#incoming.set(offer.fid, file);
    this.#post({ type: "check-message", fid: offer.fid }, offer.id);
    return file.received();
  }

  /** Offers a file and resolves once the receiver has stored all of it. */
  async sendFile(fileName: string, bytes: Buffer): Promise<void> {
    const offer = describe(fileName, bytes);
    await this.sendAccepted(this.#post({ type: "send-file", ...offer }), offer, bytes);
  }

  /** Waits until an offer is accepted, and resolves once the receiver has stored all of its file. */
  async sendAccepted(id: string, offer: FileDescription, bytes: Buffer): Promise<void> {
    let answer = await this.#answered(id);
    while (answer.pending === true) answer = await this.#answered(id, 60_000);
    const channel = this.#connection.createDataChannel(`${offer.fid}-0`, {
      protocol: "transfer",
      unordered: true,
    });
    await sendChunks(channel, offer, bytes);
    channel.close();
  }

  close(): void {
    this.#connection.close();
  }

  async #answered(id: string, waitMs = 5_000): Promise<MessageOf<"check-message">> {
    const answer = await this.#answers.next((message) => message.id === id, waitMs);
    if (answer.type === "error") throw new Error(`${answer.code}: ${answer.error}`);
    return answer;
  }

  #post(body: Body, id: string = randomUUID()): string {
    const message = { ...body, id, client: this.#ownId, target: this.id, createdAt: Date.now() };
    // An answer to somebody who has just left would end the process.
    if (this.#channel?.isOpen()) this.#channel.sendMessage(JSON.stringify(message));
    return id;
  }

  #onMessage(message: Message): void {
    if (message.client !== this.id || message.target !== this.#ownId) return;
    if (!this.#isBound) {
      this.#isBound = message.type === "bind" && fromBase64url(message.proof).equals(this.#run.bind("peer"));
      if (!this.#isBound) this.close();
      return;
    }
    switch (message.type) {
      case "profile":
        this.#profiles.push(message);
        if (message.roomLog) this.#post(this.#log.heads());
        return;
      case "heads":
        for (const { author, earlier } of message.heads)
          if (earlier !== undefined) this.#earlier.set(author, earlier);
        for (const request of this.#log.requests(message.heads)) this.#post(request);
        if (message.again) this.#post(this.#log.heads());
        return;
      case "request-entries":
        this.#post(this.#log.answer(message), message.id);
        return;
      case "entries":
        this.#takeEntries(message);
        return;
      case "send-text":
        this.#post({ type: "check-message" }, message.id);
        this.#texts.push(message);
        return;
      case "send-file":
        this.#post({ type: "check-message", fid: message.fid, pending: true }, message.id);
        this.#offers.push(message);
        return;
      case "check-message":
      case "error":
        this.#answers.push(message);
        return;
      // It gives nobody what others offered.
      case "find-file":
        this.#post({ type: "error", error: "not found", code: "cache-not-found" }, message.id);
        return;
      case "request-storage":
        this.#post({ type: "storage", data: [] }, message.id);
        return;
      case "lane-signal":
        if (message.signal.type === "offer") this.#post({ type: "lane-close", lane: message.lane });
        return;
      default:
    }
  }

  #takeEntries({ author = this.id, key, entries }: MessageOf<"entries">): void {
    const known = author === this.id ? base64url(this.#run.peerKey) : "";
    for (const entry of this.#log.take(author, key ?? known, entries)) this.#show(author, entry);
    this.#post(this.#log.heads(author));
  }

  #show(author: string, entry: Entry): void {
    if (entry.kind === "text")
      this.#entries.push({ text: entry.body, isEarlier: entry.n <= (this.#earlier.get(author) ?? 0) });
    // It asks nobody else for the file.
    if (entry.kind !== "file" || author !== this.id) return;
    const offer: FileDescription = JSON.parse(entry.body);
    const envelope = { id: this.#log.messageIdOf(author, entry), client: author, target: this.#ownId };
    this.#offers.push({ type: "send-file", ...offer, ...envelope, createdAt: entry.time });
  }
}

function describe(fileName: string, bytes: Buffer): FileDescription {
  return {
    fid: `file-${randomUUID()}`,
    fileName,
    fileSize: bytes.length,
    mimeType: "application/octet-stream",
    lastModified: Date.now(),
    chunkSize: 256 * 1024,
  };
}

// --- The room --------------------------------------------------------------------------------------------------------

interface Member {
  clientId: string;
  order: number;
}

type ServerFrame =
  | { type: "challenge"; nonce: string }
  | { type: "welcome"; version: number }
  | { type: "pending"; greeter?: Member; approval?: true }
  | { type: "knock"; clientId: string }
  | { type: "joined"; order: number; members: Member[]; resumeToken: string }
  | { type: "member-joined"; member: Member; resumed: boolean }
  | { type: "member-left"; clientId: string }
  | { type: "signal"; from: string; signal: Signal }
  | { type: "pong" }
  | { type: "error"; code: string }
  | { type: "drain"; afterMs: number };

type FrameOf<Type extends ServerFrame["type"]> = Extract<ServerFrame, { type: Type }>;

export interface StrangerOptions {
  /** The page's origin with its port: `http://127.0.0.1:8080`. */
  readonly origin: string;
  readonly room: string;
  readonly password?: string;
  readonly name: string;
}

/** The server closed the socket. The message is the code and reason: `4403 incorrect-password`. */
class SocketClosed extends Error {}

export class Stranger {
  readonly #options: StrangerOptions;
  readonly #socket: WebSocket;
  readonly #identity = createIdentity();
  readonly #certificate = createCertificate();
  readonly #roomTag: Buffer;
  readonly #log: StrangerLog;
  readonly #passwordHash: Buffer;
  readonly #frames = new Inbox<ServerFrame>("the server");
  readonly #peers = new Inbox<StrangerPeer>("a peer");
  readonly #connected = new Set<StrangerPeer>();
  readonly #runs = new Map<string, Inbox<Signal>>();
  #isIn = false;
  #heartbeat: NodeJS.Timeout | undefined;
  /** How many newcomers it admitted to a locked room. */
  admitted = 0;

  private constructor(options: StrangerOptions) {
    this.#options = options;
    this.#roomTag = sha256("room/1", options.room);
    this.#passwordHash =
      options.password === undefined
        ? Buffer.alloc(0)
        : pbkdf2Sync(
            options.password.normalize("NFC"),
            sha256("app/prs/1", this.#roomTag),
            600_000,
            32,
            "sha256",
          );
    const logTag =
      options.password === undefined
        ? this.#roomTag
        : Buffer.from(hkdfSync("sha256", this.#passwordHash, this.#roomTag, "room-log/1", 32));
    this.#log = new StrangerLog(logTag, this.#identity);
    const address = `${options.origin.replace(/^http/, "ws")}/ws`;
    this.#socket = new WebSocket(address, "room.v1", {
      headers: { Origin: options.origin },
      perMessageDeflate: false,
    });
    this.#socket.on("message", (data) => this.#onFrame(JSON.parse(String(data)) as ServerFrame));
    this.#socket.on("error", (error) => this.#end(error));
    this.#socket.on("close", (code, reason) => this.#end(new SocketClosed(`${code} ${reason}`)));
  }

  /** Resolves once in the room. @throws SocketClosed if the server closes the socket; IncorrectPassword */
  static async join(options: StrangerOptions): Promise<Stranger> {
    const stranger = new Stranger(options);
    try {
      await stranger.#join();
    } catch (error) {
      stranger.leave();
      throw error;
    }
    return stranger;
  }

  get clientId(): string {
    return this.#identity.clientId;
  }

  /** The next peer that is connected and has sent its profile. */
  meet(): Promise<StrangerPeer> {
    return this.#peers.next();
  }

  /** Writes a text to everyone. */
  sayToEveryone(text: string): void {
    this.#write("text", text);
  }

  /** Offers a file to everyone, and resolves once `receiver` has stored all of it. */
  async offerToEveryone(fileName: string, bytes: Buffer, receiver: StrangerPeer): Promise<void> {
    const offer = describe(fileName, bytes);
    const entry = this.#write("file", JSON.stringify(offer));
    await receiver.sendAccepted(this.#log.messageIdOf(this.clientId, entry), offer, bytes);
  }

  leave(): void {
    clearInterval(this.#heartbeat);
    for (const peer of this.#connected) peer.close();
    this.#socket.close(1000);
  }

  #write(kind: string, body: string): Entry {
    const entry = this.#log.write(this.#options.name, kind, body);
    for (const peer of this.#connected) peer.give(entry);
    return entry;
  }

  async #join(): Promise<void> {
    const isOf =
      <Type extends ServerFrame["type"]>(type: Type) =>
      (frame: ServerFrame): frame is FrameOf<Type> =>
        frame.type === type;
    const { clientId, publicKey, privateKey } = this.#identity;
    const { nonce } = await this.#frames.next(isOf("challenge"));
    const server = this.#options.origin.replace(/^http/, "ws");
    const proof = signWith(privateKey, lv("hello/3", fromBase64url(nonce), clientId, server));
    this.#send({
      type: "hello",
      version: 4,
      clientId,
      server,
      publicKey: base64url(publicKey),
      proof: base64url(proof),
    });
    await this.#frames.next(isOf("welcome"));
    this.#send({
      type: "join",
      room: base64url(this.#roomTag),
      locked: this.#options.password !== undefined,
    });
    this.#heartbeat = setInterval(() => this.#send({ type: "ping" }), 15_000);
    await this.#frames.next(isOf("joined"));
  }

  #send(frame: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #end(error: Error): void {
    this.#frames.end(error);
  }

  #onFrame(frame: ServerFrame): void {
    switch (frame.type) {
      case "signal":
        this.#onSignal(frame.from, frame.signal);
        return;
      case "joined":
        this.#isIn = true;
        this.#frames.push(frame);
        return;
      case "member-joined":
        if (!frame.resumed) this.#start(this.#connect(frame.member.clientId));
        return;
      case "knock":
        this.#start(this.#greet(frame.clientId));
        return;
      default:
        this.#frames.push(frame);
    }
  }

  #onSignal(from: string, signal: Signal): void {
    if (signal.type === "hs1") this.#start(this.#answer(from, signal));
    else this.#runs.get(`${from} ${signal.run}`)?.push(signal);
  }

  /** A failed admission run fails `join`; a failed run in the room ends nothing else. */
  #start(work: Promise<void>): void {
    work.catch((error: Error) => {
      if (!this.#isIn) this.#frames.end(error);
    });
  }

  #setting(peerId: string): RunSetting {
    return {
      roomTag: this.#roomTag,
      passwordHash: this.#passwordHash,
      identity: this.#identity,
      fingerprint: this.#certificate.fingerprint,
      peerId,
    };
  }

  #signalsOf(peerId: string, run: Run): Inbox<Signal> {
    const signals = new Inbox<Signal>(`a run with ${peerId}`);
    this.#runs.set(`${peerId} ${run.id}`, signals);
    return signals;
  }

  /** Connects to a member that joined after us: the earlier member initiates. */
  async #connect(peerId: string): Promise<void> {
    const setting = this.#setting(peerId);
    const run = new Run("A", base64url(randomBytes(16)), setting);
    const signals = this.#signalsOf(peerId, run);
    const send: SendSignal = (signal) => this.#send({ type: "signal", to: peerId, signal });
    const link = createLink(this.#certificate);
    const peer = new StrangerPeer(this.clientId, this.#options.name, peerId, run, link.connection, this.#log);
    peer.addChannel(link.connection.createDataChannel("message", { protocol: "message" }));
    await initiate(setting, run, signals, send, await link.descriptions.next());
    await this.#finish(peer, run, signals, send, link);
  }

  /** Answers a member that initiates; for admission to a locked room that is the greeter, and no connection follows. */
  async #answer(peerId: string, hs1: Hs1): Promise<void> {
    const setting = this.#setting(peerId);
    const run = new Run("B", hs1.run, setting);
    const signals = this.#signalsOf(peerId, run);
    const send: SendSignal = (signal) => this.#send({ type: "signal", to: peerId, signal });
    const isAtTheDoor = !this.#isIn;
    await respond(setting, run, hs1, signals, send);
    if (isAtTheDoor) return;
    const link = createLink(this.#certificate);
    const peer = new StrangerPeer(this.clientId, this.#options.name, peerId, run, link.connection, this.#log);
    const offer = run.open(await signals.next(isBox));
    if (!("sdp" in offer)) throw new Error("the first box holds no offer");
    link.connection.setRemoteDescription(offer.sdp, offer.type);
    send(run.seal("answer", await link.descriptions.next()));
    await this.#finish(peer, run, signals, send, link);
  }

  /** Checks that a newcomer to a locked room knows the password. */
  async #greet(peerId: string): Promise<void> {
    const setting = this.#setting(peerId);
    const run = new Run("A", base64url(randomBytes(16)), setting);
    const signals = this.#signalsOf(peerId, run);
    try {
      await initiate(setting, run, signals, (signal) => this.#send({ type: "signal", to: peerId, signal }));
    } catch {
      return this.#send({ type: "reject", clientId: peerId });
    }
    this.admitted += 1;
    this.#send({ type: "admit", clientId: peerId });
  }

  /** Exchanges the remaining signals: the peer's boxes, and our candidates now that both sides are proven. */
  async #finish(
    peer: StrangerPeer,
    run: Run,
    signals: Inbox<Signal>,
    send: SendSignal,
    link: Link,
  ): Promise<void> {
    this.#connected.add(peer);
    signals.forEach((signal) => {
      // Candidates may still be in transit when one of us has left.
      if (!isBox(signal) || link.connection.state() === "closed") return;
      const data = run.open(signal);
      if ("sdp" in data) link.connection.setRemoteDescription(data.sdp, data.type);
      else if (data.candidate !== "") link.connection.addRemoteCandidate(data.candidate, data.sdpMid ?? "0");
    });
    link.candidates.forEach((candidate) => {
      send(run.seal("candidate", candidate));
    });
    await peer.met();
    this.#peers.push(peer);
  }
}

interface Link {
  readonly connection: PeerConnection;
  readonly descriptions: Inbox<Description>;
  readonly candidates: Inbox<Candidate>;
}

function createLink(certificate: Certificate): Link {
  const descriptions = new Inbox<Description>("a description of ours");
  const candidates = new Inbox<Candidate>("a candidate of ours");
  const connection = new PeerConnection("stranger", {
    iceServers: [],
    certificatePemFile: certificate.certificatePem,
    keyPemFile: certificate.keyPem,
  });
  connection.onLocalDescription((sdp, type) => {
    if (type === "offer" || type === "answer") descriptions.push({ type, sdp });
  });
  connection.onLocalCandidate((candidate, sdpMid) => candidates.push({ candidate, sdpMid }));
  return { connection, descriptions, candidates };
}
