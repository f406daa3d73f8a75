import { randomUUID } from "node:crypto";
import {
  type ClientFrame,
  decodeServerFrame,
  type ServerFrame,
  signallingSubprotocol,
} from "@warren/protocol";
import { WebSocket } from "ws";
import { testBox } from "../src/testing/test-signals.ts";

const reconnectBaseMs = 500;
const reconnectMaxMs = 30_000;

/** A client without a person: like the page, it stays in its room when nodes fail. */
export class ScriptedClient {
  readonly clientId = randomUUID();
  /** The members it sees: their order by id. */
  readonly members = new Map<string, number>();
  /** Members reported to have left while it was in the room. */
  readonly left: string[] = [];
  order = -1;
  /** How often its order changed. */
  orderChanges = 0;
  isIn = false;
  /** When it lost its last socket, and how long each return took. */
  readonly returnsMs: number[] = [];
  onSignal: (() => void) | undefined;
  port = 0;
  readonly room: string;
  readonly #choosePort: () => number;
  /** Holds the seat. */
  #socket: WebSocket | undefined;
  /** About to take the seat over. Only one at a time, as in the page, so that takeovers stay in order. */
  #next: WebSocket | undefined;
  #retry: NodeJS.Timeout | undefined;
  #resumeToken: string | undefined;
  #lostAt: number | undefined;
  #attempt = 0;
  #isOver = false;

  /** @param choosePort asked for each socket, as a balancer would be */
  constructor(room: string, choosePort: () => number) {
    this.room = room;
    this.#choosePort = choosePort;
  }

  open(): void {
    clearTimeout(this.#retry);
    if (this.#next !== undefined || this.#isOver) return;
    const port = this.#choosePort();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, signallingSubprotocol, {
      origin: "http://warren.test",
      perMessageDeflate: false,
    });
    this.#next = socket;
    socket.on("message", (data) => {
      const decoded = decodeServerFrame(String(data));
      if (!decoded.ok) throw decoded.error;
      this.#receive(socket, port, decoded.value);
    });
    socket.on("error", () => {});
    socket.on("close", () => this.#lost(socket));
  }

  signal(to: string): void {
    this.#send(this.#socket, { type: "signal", to, signal: testBox(200) });
  }

  /** Its network fails. */
  cut(): void {
    this.#socket?.terminate();
  }

  /** Its device is gone and does not come back. */
  vanish(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
    this.#next?.terminate();
    this.cut();
  }

  #receive(socket: WebSocket, port: number, frame: ServerFrame): void {
    switch (frame.type) {
      case "challenge":
        this.#send(socket, {
          type: "hello",
          version: 4,
          clientId: this.clientId,
          server: "wss://warren.test",
          publicKey: "",
          proof: "",
        });
        return;
      case "welcome":
        this.#send(socket, {
          type: "join",
          room: this.room,
          locked: false,
          ...(this.#resumeToken !== undefined && { resumeToken: this.#resumeToken }),
        });
        return;
      case "joined": {
        const before = this.#socket;
        this.#socket = socket;
        this.#next = undefined;
        this.port = port;
        before?.close(1000);
        if (this.order >= 0 && this.order !== frame.order) this.orderChanges += 1;
        this.order = frame.order;
        this.#resumeToken = frame.resumeToken;
        this.members.clear();
        for (const { clientId, order } of frame.members) this.members.set(clientId, order);
        this.isIn = true;
        this.#attempt = 0;
        if (this.#lostAt !== undefined) this.returnsMs.push(performance.now() - this.#lostAt);
        this.#lostAt = undefined;
        return;
      }
      case "member-joined":
        this.members.set(frame.member.clientId, frame.member.order);
        return;
      case "member-left":
        this.members.delete(frame.clientId);
        this.left.push(frame.clientId);
        return;
      case "signal":
        this.onSignal?.();
        return;
      case "drain":
        this.#openAfter(frame.afterMs);
        return;
      case "error":
        socket.close(1000);
        return;
    }
  }

  #lost(socket: WebSocket): void {
    if (this.#isOver) return;
    if (socket === this.#next) this.#next = undefined;
    else if (socket === this.#socket) {
      this.#socket = undefined;
      this.isIn = false;
      this.#lostAt ??= performance.now();
    } else return;
    if (this.#socket !== undefined || this.#next !== undefined) return;
    // Full jitter, as in the page.
    this.#openAfter(Math.random() * Math.min(reconnectMaxMs, reconnectBaseMs * 2 ** this.#attempt++));
  }

  #openAfter(delayMs: number): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.open(), delayMs);
  }

  #send(socket: WebSocket | undefined, frame: ClientFrame): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  }
}
