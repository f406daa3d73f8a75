import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { type ClientId, WarrenError } from "@warren/protocol";
import { encodeBase64url, utf8 } from "../../handshake/crypto/encoding.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CreatePeerConnection } from "../../ports/peer-connection.ts";
import type { SeatRequest, SignallingBackend, SignallingClient } from "../../ports/signalling.ts";
import type { Profile } from "../../profile/profile.ts";
import { roomOfTwo } from "../room-tag.ts";
import { describedBy, descriptionOf } from "./qr-description.ts";
import { newQrNonce, type QrFrame, readQrFrame, writeQrFrame } from "./qr-frame.ts";
import { QrSeat } from "./qr-seat.ts";

/** How long a browser may look for its own addresses; it knows those of its networks at once. */
const gatheringMs = 3_000;
/** How long the other page may take to appear once both codes were read. */
const meetingMs = 20_000;

/** The dependencies of a {@link QrMeeting}. */
export interface QrMeetingDeps {
  readonly clientId: ClientId;
  readonly createPeerConnection: CreatePeerConnection;
  readonly certificates: () => Promise<RTCCertificate[]>;
  readonly clock: Clock;
}

/**
 * Two pages that read each other's codes: a connection between them that carries signals, as a server does otherwise. Its ends are
 * the certificates in the codes; who is behind them, the handshake proves like everywhere, for the id in the code.
 */
export class QrMeeting implements SignallingBackend {
  readonly #deps: QrMeetingDeps;
  #connection: RTCPeerConnection | null = null;
  #channel: RTCDataChannel | null = null;
  #own: QrFrame | null = null;
  #other: QrFrame | null = null;
  #seat: QrSeat | null = null;
  #isClosed = false;

  constructor(deps: QrMeetingDeps) {
    this.#deps = deps;
  }

  /** Our invitation, for the other page to read. @throws WarrenError `code-invalid` without an address to be reached at. */
  async invite(): Promise<string> {
    const connection = await this.#open();
    await connection.setLocalDescription();
    return this.#describe("invitation", newQrNonce());
  }

  /** Reads an invitation. @returns our answer. @throws WarrenError `code-invalid`, `another-version` or as {@link invite}. */
  async answer(text: string): Promise<string> {
    const invitation = this.#read(text, "invitation");
    this.#other = invitation;
    const connection = await this.#open();
    await apply(connection, invitation);
    await connection.setLocalDescription();
    return this.#describe("answer", invitation.nonce);
  }

  /** Reads the answer to our invitation. @throws WarrenError `code-invalid` or `another-version`. */
  async complete(text: string): Promise<void> {
    const answer = this.#read(text, "answer");
    if (this.#own === null || this.#connection === null || !equalBytes(answer.nonce, this.#own.nonce))
      throw new WarrenError("code-invalid", { issue: "nonce" });
    this.#other = answer;
    await apply(this.#connection, answer);
  }

  /** Resolves once the two are connected. Rejects with `connect-timeout`, or `connection-closed` after {@link close}. */
  async opened(withinMs = meetingMs): Promise<void> {
    const channel = this.#channel;
    if (channel === null || this.#isClosed) throw new WarrenError("connection-closed");
    if (channel.readyState === "open") return;
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void): void => {
        cancel();
        listening.abort();
        settle();
      };
      const listening = new AbortController();
      const cancel = this.#deps.clock.after(withinMs, () =>
        end(() => reject(new WarrenError("connect-timeout"))),
      );
      const { signal } = listening;
      channel.addEventListener("open", () => end(resolve), { signal });
      channel.addEventListener("close", () => end(() => reject(new WarrenError("connection-closed"))), {
        signal,
      });
    });
  }

  /** The text of our invitation, while there is one. */
  get invitation(): string | null {
    return this.#own?.kind === "invitation" ? writeQrFrame(this.#own) : null;
  }

  /** The other page, whose key the handshake has to prove; null before its code was read. */
  get peerId(): ClientId | null {
    return this.#other?.clientId ?? null;
  }

  /**
   * The room of the two, so that they can meet in it over a server too: the same at each of their meetings, with a new password
   * that only they know. Null before both codes were read.
   */
  get room(): Pick<Profile, "roomId" | "password"> | null {
    const [nonce, other] = [this.#own?.nonce, this.peerId];
    if (nonce === undefined || other === null) return null;
    const secret = sha256(concatBytes(utf8("here-password/1"), nonce)).subarray(0, 16);
    return { roomId: roomOfTwo(this.#deps.clientId, other), password: encodeBase64url(secret) };
  }

  /** The page that invited has the room for itself until the other enters; that one waits until it is met. */
  async createClient(request: SeatRequest): Promise<SignallingClient> {
    const [own, channel] = [this.#own, this.#channel];
    if (own === null || channel === null) throw new WarrenError("signalling-unreachable");
    const isFirst = own.kind === "invitation";
    const before = this.#seat;
    const self = { clientId: request.clientId, order: isFirst ? 0 : 1 };
    before?.replaced();
    const seat = new QrSeat({
      ...{ self, channel, clock: this.#deps.clock, isAgain: before !== null },
      otherId: () => this.peerId,
      end: () => this.close(),
    });
    this.#seat = seat;
    if (!isFirst) await seat.met(meetingMs);
    return seat;
  }

  /** Ends the connection, and every seat. */
  close(): void {
    this.#isClosed = true;
    this.#channel?.close();
    this.#connection?.close();
  }

  #read(text: string, kind: QrFrame["kind"]): QrFrame {
    const frame = readQrFrame(text);
    // One's own code, read in a mirror or from the other window.
    if (frame.clientId === this.#deps.clientId) throw new WarrenError("code-invalid", { issue: "own" });
    if (frame.kind !== kind) throw new WarrenError("code-invalid", { issue: kind });
    return frame;
  }

  async #open(): Promise<RTCPeerConnection> {
    const certificates = await this.#deps.certificates();
    if (this.#isClosed) throw new WarrenError("connection-closed");
    this.#connection?.close();
    const connection = this.#deps.createPeerConnection({ iceServers: [], certificates });
    this.#connection = connection;
    // Both sides know it, so none has to announce it.
    this.#channel = connection.createDataChannel("signals", { negotiated: true, id: 0 });
    return connection;
  }

  async #describe(kind: QrFrame["kind"], nonce: Uint8Array): Promise<string> {
    const connection = this.#connection;
    if (connection === null) throw new WarrenError("connection-closed");
    await this.#gathered(connection);
    const described = describedBy(connection.localDescription?.sdp ?? "");
    const frame: QrFrame = { kind, nonce, clientId: this.#deps.clientId, ...described };
    const text = writeQrFrame(frame);
    this.#own = frame;
    return text;
  }

  #gathered(connection: RTCPeerConnection): Promise<void> {
    if (connection.iceGatheringState === "complete") return Promise.resolve();
    return new Promise((resolve) => {
      const listening = new AbortController();
      const end = (): void => {
        cancel();
        listening.abort();
        resolve();
      };
      const cancel = this.#deps.clock.after(gatheringMs, end);
      const check = (): void => {
        if (connection.iceGatheringState === "complete") end();
      };
      connection.addEventListener("icegatheringstatechange", check, { signal: listening.signal });
      check();
    });
  }
}

/** Browsers check descriptions themselves, each in its own words. @throws WarrenError `code-invalid`. */
async function apply(connection: RTCPeerConnection, frame: QrFrame): Promise<void> {
  try {
    await connection.setRemoteDescription(descriptionOf(frame));
  } catch (thrown) {
    throw new WarrenError("code-invalid", { issue: "description" }, { cause: thrown });
  }
}
