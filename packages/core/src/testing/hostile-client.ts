import { hexToBytes } from "@noble/hashes/utils.js";
import {
  type ClientFrame,
  type ClientId,
  decodeServerFrame,
  encodeSignallingFrame,
  protocolVersion,
  type RoomTag,
  type SealedSignal,
  signallingSubprotocol,
} from "@warren/protocol";
import { encodeBase64url } from "../handshake/crypto/encoding.ts";
import { randomUuid } from "../shared/ids.ts";
import type { Socket } from "../signalling/signalling-socket.ts";
import type { FakeSignallingServer } from "./fake-signalling-server.ts";

/** A client of a signalling server that sends whatever a test wants. */
export class HostileClient {
  readonly clientId: ClientId = randomUuid();
  readonly #server: FakeSignallingServer;
  readonly #room: RoomTag;
  #socket: Socket;
  #resumeToken: string | undefined;
  /** The handshakes that others started, and who did. */
  readonly #started: { readonly from: ClientId; readonly run: string }[] = [];

  constructor(server: FakeSignallingServer, room: RoomTag) {
    this.#server = server;
    this.#room = room;
    this.#socket = this.#open(() => {});
  }

  join(): void {
    const resumeToken = this.#resumeToken;
    this.#send({
      type: "join",
      room: this.#room,
      locked: false,
      ...(resumeToken !== undefined && { resumeToken }),
    });
  }

  leave(): void {
    this.#send({ type: "leave" });
  }

  /** Takes its seat again with another socket. */
  return(): void {
    this.#socket = this.#open(() => this.join());
  }

  /** Starts a handshake that it does not intend to continue. */
  start(to: ClientId): void {
    this.#signal(to, { type: "hs1", run: randomText(16), v: 1, C: randomText(32) });
  }

  /** Answers every handshake that others started since the last call. Its share is the generator of the group. */
  answerAll(): void {
    const generator = "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76";
    const Yb = encodeBase64url(hexToBytes(generator));
    for (const { from, run } of this.#started.splice(0))
      this.#signal(from, { type: "hs2", run, rB: randomText(16), fpB: randomText(32), idPubB: "", Yb });
  }

  #open(onWelcome: () => void): Socket {
    const socket = this.#server.openSocket("ws://server.test/ws", signallingSubprotocol);
    socket.addEventListener("message", ({ data }) => {
      const decoded = decodeServerFrame(data);
      if (!decoded.ok) throw decoded.error;
      const frame = decoded.value;
      if (frame.type === "challenge") this.#introduce();
      else if (frame.type === "welcome") onWelcome();
      else if (frame.type === "joined") this.#resumeToken = frame.resumeToken;
      else if (frame.type === "signal" && frame.signal.type === "hs1")
        this.#started.push({ from: frame.from, run: frame.signal.run });
    });
    return socket;
  }

  #introduce(): void {
    const { clientId } = this;
    const server = "ws://server.test";
    this.#send({ type: "hello", version: protocolVersion, clientId, server, publicKey: "", proof: "" });
  }

  #signal(to: ClientId, signal: SealedSignal): void {
    this.#send({ type: "signal", to, signal });
  }

  #send(frame: ClientFrame): void {
    if (this.#socket.readyState === 1) this.#socket.send(encodeSignallingFrame(frame));
  }
}

function randomText(bytes: number): string {
  return encodeBase64url(crypto.getRandomValues(new Uint8Array(bytes)));
}
