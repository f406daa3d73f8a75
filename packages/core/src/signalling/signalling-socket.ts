import {
  type ClientFrame,
  type ClientId,
  closeCodes,
  decodeServerFrame,
  defaultFrameRate,
  type ErrorCode,
  encodeSignallingFrame,
  protocolVersion,
  type RoomMember,
  type RoomTag,
  type ServerFrame,
  type SignallingErrorCode,
  signallingSubprotocol,
  WarrenError,
} from "@warren/protocol";
import { helloProofInput } from "@warren/protocol/key-proof";
import { decodeBase64url, encodeBase64url } from "../handshake/crypto/encoding.ts";
import type { Identity } from "../handshake/identity.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Countdown } from "../shared/countdown.ts";
import { Emitting } from "../shared/emitter.ts";
import type { Log } from "../shared/log.ts";
import { FramePace } from "./frame-pace.ts";
import { socketTimes } from "./seat-policy.ts";

/** The server's answer to a join. */
export type JoinedFrame = Extract<ServerFrame, { type: "joined" }>;

type SignallingSocketEvents = {
  joined: [frame: JoinedFrame];
  /**
   * The room is locked: this member admits us after we prove that we know the password; null until there is one.
   * `needsApproval`: only after a person agrees.
   */
  pending: [greeter: RoomMember | null, needsApproval: boolean];
  /** Any other frame after joining or while pending. */
  frame: [frame: ServerFrame];
  /**
   * The socket closed or timed out; no event follows. Not emitted after `close()`. `retryAfterMs`: how long the server asks us
   * to wait before we try again; null if trying again is pointless for what it knows.
   */
  lost: [error: WarrenError, retryAfterMs: number | null];
};

export interface SignallingSocketDeps {
  readonly openSocket: OpenSocket;
  readonly url: string;
  readonly roomTag: RoomTag;
  /** Join the room of our network instead. */
  readonly nearby: boolean;
  readonly clientId: ClientId;
  /** Whether we have a password for the room. */
  readonly locked: boolean;
  /** The key of our client id, if there is one. */
  readonly identity: Pick<Identity, "publicKey" | "sign">;
  /** The token of an earlier seat, if there is one. */
  readonly resumeToken: string | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** The errors behind close codes. */
const meanings: Readonly<Partial<Record<number, ErrorCode>>> = {
  [closeCodes.replaced]: "signalling-replaced",
  [closeCodes.rateLimited]: "rate-limited",
  [closeCodes.passwordRequired]: "password-required",
  [closeCodes.forbidden]: "incorrect-password",
  [closeCodes.roomIsOpen]: "room-is-open",
};

/** The errors behind close reasons, for codes with several meanings. */
const reasons: Readonly<Partial<Record<string, ErrorCode>>> = {
  "not-admitted": "not-admitted",
  "another-version": "another-version",
};

/** Close reasons for a client whose `hello` is invalid; the operator of the server needs them. */
const namingFaults: ReadonlySet<string> = new Set(["identity", "server-name"]);

/** The lifetime of one WebSocket: challenge, hello, join, frames, and the silence timeout. */
export class SignallingSocket extends Emitting<SignallingSocketEvents> {
  readonly #deps: SignallingSocketDeps;
  readonly #listening = new AbortController();
  readonly #socket: Socket;
  #joined = false;
  #pending: "no" | "yes" | "needs-approval" = "no";
  #ended = false;
  /** The time limit for the server's next frame. */
  readonly #deadline: Countdown;
  #pace: FramePace;
  #cancelPings: CancelTimer = () => {};

  /** Opens the socket. @throws the error of `openSocket` for an invalid URL. */
  constructor(deps: SignallingSocketDeps) {
    super();
    this.#deps = deps;
    this.#socket = deps.openSocket(deps.url, signallingSubprotocol);
    const listening = { signal: this.#listening.signal };
    this.#socket.addEventListener("message", (event) => this.#receive(event.data), listening);
    this.#socket.addEventListener("close", (event) => this.#lose(this.#errorOf(event)), listening);
    this.#pace = new FramePace(defaultFrameRate, deps.clock);
    this.#deadline = new Countdown(deps.clock);
    this.#deadline.start(socketTimes.joinMs, () => this.#lose(new WarrenError("signalling-unreachable")));
  }

  get joined(): boolean {
    return this.#joined && !this.#ended;
  }

  get #isOpen(): boolean {
    // 1 is WebSocket.OPEN; the constructor is not available here.
    return !this.#ended && this.#socket.readyState === 1;
  }

  /** Sends a frame. @returns whether the socket was open. */
  send(frame: ClientFrame): boolean {
    if (!this.#isOpen) return false;
    this.#socket.send(encodeSignallingFrame(frame));
    this.#pace.spend();
    return true;
  }

  /** How long the next signal has to wait for the server's limit of frames; null while no signal is accepted. */
  get signalWaitMs(): number | null {
    const isAccepted = (this.#joined || this.#pending !== "no") && this.#isOpen;
    return isAccepted ? this.#pace.waitMs : null;
  }

  /** Sends a ping: after sleep, a dead socket may still look open. */
  probe(): void {
    if (!this.joined) return;
    this.#ping();
    this.#expectLife(socketTimes.probeMs);
  }

  /** Ends the socket with an error found by its owner. */
  fail(error: WarrenError): void {
    this.#lose(error);
  }

  close(): void {
    if (this.#ended) return;
    this.#end();
    this.#socket.close(closeCodes.normal);
  }

  #receive(data: unknown): void {
    if (this.#joined) this.#expectLife(socketTimes.silenceMs);
    const decoded = decodeServerFrame(data);
    if (!decoded.ok) {
      this.#deps.log.warn("dropped a frame of the signalling server", { code: decoded.error.code });
      return;
    }
    const frame = decoded.value;
    if (this.#joined) {
      this.emit("frame", frame);
    } else if (frame.type === "challenge") {
      void this.#introduce(frame.nonce);
    } else if (frame.type === "welcome") {
      if (frame.frames !== undefined) this.#pace = new FramePace(frame.frames, this.#deps.clock);
      this.#join(frame.nearby === true);
    } else if (frame.type === "joined") {
      this.#joined = true;
      this.#expectLife(socketTimes.silenceMs);
      this.#cancelPings = this.#deps.clock.every(socketTimes.pingEveryMs, () => this.#ping());
      this.emit("joined", frame);
    } else if (frame.type === "pending") {
      this.#awaitAdmission(frame.greeter ?? null, frame.approval === true);
    } else if (this.#pending !== "no") {
      this.emit("frame", frame);
    } else if (frame.type === "error") {
      this.#refused(frame.code, frame.retryAfterMs ?? null);
    }
  }

  #join(hasNearby: boolean): void {
    const { roomTag, nearby, locked, resumeToken } = this.#deps;
    const token = resumeToken !== null && { resumeToken };
    // Servers that do not know the frame would close the socket.
    if (nearby && !hasNearby) this.#lose(new WarrenError("nearby-unavailable"));
    else if (nearby) this.send({ type: "nearby", ...token });
    else this.send({ type: "join", room: roomTag, locked, ...token });
  }

  #awaitAdmission(greeter: RoomMember | null, needsApproval: boolean): void {
    const pending = needsApproval ? "needs-approval" : "yes";
    if (this.#pending !== pending) {
      const timeoutMs = needsApproval ? socketTimes.approvalMs : socketTimes.admissionMs;
      this.#deadline.start(timeoutMs, () => this.#lose(new WarrenError("connect-timeout")));
    }
    this.#pending = pending;
    this.emit("pending", greeter, needsApproval);
  }

  /** Proves our id to the server; without a key it is only claimed. */
  async #introduce(nonce: string): Promise<void> {
    const { clientId, identity, url } = this.#deps;
    const { publicKey } = identity;
    const { protocol, host } = new URL(url);
    const server = `${protocol}//${host}`;
    const challenge = decodeBase64url(nonce) ?? new Uint8Array();
    const proof =
      publicKey.length === 0 ? publicKey : await identity.sign(helloProofInput(challenge, clientId, server));
    this.send({
      type: "hello",
      version: protocolVersion,
      clientId,
      server,
      publicKey: encodeBase64url(publicKey),
      proof: encodeBase64url(proof),
    });
  }

  #refused(code: SignallingErrorCode, retryAfterMs: number | null): void {
    if (code === "room-full" || code === "rate-limited") this.#lose(new WarrenError(code), retryAfterMs);
    // Another page of this client holds the seat, and we have no token to take it over.
    else if (code === "already-in-room") this.#lose(new WarrenError("signalling-replaced"));
  }

  #ping(): void {
    this.send({ type: "ping" });
  }

  #expectLife(limitMs: number): void {
    this.#deadline.start(limitMs, () => this.#lose(closedError(0, "silence")));
  }

  #errorOf(event: CloseEvent): WarrenError {
    const meaning = reasons[event.reason] ?? meanings[event.code];
    const isMisnamed = namingFaults.has(event.reason);
    if (meaning !== undefined && !isMisnamed) return new WarrenError(meaning);
    return this.#joined || isMisnamed
      ? closedError(event.code, event.reason)
      : new WarrenError("signalling-unreachable");
  }

  #lose(error: WarrenError, retryAfterMs: number | null = null): void {
    if (this.#ended) return;
    this.#end();
    this.#socket.close();
    this.emit("lost", error, retryAfterMs);
  }

  #end(): void {
    this.#ended = true;
    this.#listening.abort();
    this.#deadline.stop();
    this.#cancelPings();
  }
}

function closedError(code: number, reason: string): WarrenError {
  return new WarrenError("signalling-closed", { code, reason: reason.slice(0, 123) });
}

/** Opens a WebSocket with one subprotocol: `new WebSocket(url, protocol)`. */
export type OpenSocket = (url: string, protocol: string) => Socket;

/** What is used of a WebSocket, which implementations outside of browsers have. */
export type Socket = Pick<WebSocket, "send" | "close" | "addEventListener"> & { readonly readyState: number };
