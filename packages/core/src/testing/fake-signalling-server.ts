import {
  type ClientFrame,
  type ClientId,
  closeCodes,
  decodeClientFrame,
  defaultFrameRate,
  encodeSignallingFrame,
  protocolVersion,
  type RoomMember,
  type ServerFrame,
  TokenBucket,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { OpenSocket } from "../signalling/signalling-socket.ts";
import { FakeSocket } from "./fake-socket.ts";

interface FakeSeat {
  readonly room: string;
  readonly member: RoomMember;
  readonly token: string;
  socket: FakeSocket | null;
}

/** An in-memory signalling server over in-memory sockets, with controllable failures. */
export class FakeSignallingServer {
  /** Every socket ever opened, in order. */
  readonly sockets: FakeSocket[] = [];
  /** Every received frame, in order. */
  readonly received: ClientFrame[] = [];
  /** Whether new sockets are accepted. */
  isUp = true;
  /** Whether it answers; a hanging server accepts sockets but sends nothing. */
  answers = true;
  /** Whether it takes `nearby`. */
  hasNearby = true;
  /** Answers a join with this error. */
  refusal: "room-full" | "rate-limited" | null = null;
  /** How long a client should wait before it tries again after that error. */
  retryAfterMs: number | undefined;
  /** The resume token that comes with each pong. */
  newToken: string | null = null;
  /** Makes newcomers wait for admission by this member. */
  greeter: RoomMember | null = null;
  /** The clients whose sockets were closed because they sent more frames than a real server takes. */
  readonly tooFast = new Set<ClientId>();
  readonly #clock: Clock;
  readonly #seats: FakeSeat[] = [];
  readonly #pending = new Map<ClientId, () => void>();
  readonly #waiting = new Map<ClientId, FakeSocket>();
  #nextOrder = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The port for the clients under test. */
  readonly openSocket: OpenSocket = (url, protocol) => {
    const socket = new FakeSocket(url, protocol);
    this.sockets.push(socket);
    let clientId: ClientId = "";
    const frames = new TokenBucket(defaultFrameRate, this.#clock);
    socket.onSent = (text) => {
      if (!frames.take()) {
        this.tooFast.add(clientId);
        socket.end(closeCodes.rateLimited);
        return;
      }
      const decoded = decodeClientFrame(text);
      if (!decoded.ok) throw decoded.error;
      this.received.push(decoded.value);
      if (decoded.value.type === "hello") clientId = decoded.value.clientId;
      if (this.answers) queueMicrotask(() => this.#handle(socket, clientId, decoded.value));
    };
    socket.onClosed = (code) => {
      const seat = this.#seats.find((one) => one.socket === socket);
      if (seat === undefined) return;
      seat.socket = null;
      if (code === closeCodes.normal) this.forget(seat.member.clientId);
    };
    queueMicrotask(() => {
      if (!this.isUp) return socket.end(1006);
      socket.accept();
      if (this.answers)
        socket.receive(encodeSignallingFrame({ type: "challenge", nonce: `${"n".repeat(42)}A` }));
    });
    return socket;
  };

  /** Sends a frame to a client, over the socket that holds its seat. */
  send(clientId: ClientId, frame: ServerFrame): void {
    const seat = this.#seats.find(({ member }) => member.clientId === clientId);
    seat?.socket?.receive(encodeSignallingFrame(frame));
  }

  /** Ends the socket of a client, keeping its seat. */
  drop(clientId: ClientId, code = 1006): void {
    this.#seats.find(({ member }) => member.clientId === clientId)?.socket?.end(code);
  }

  /** Forgets a seat as after 90 s, without notifying its client. */
  forget(clientId: ClientId): void {
    const index = this.#seats.findIndex(({ member }) => member.clientId === clientId);
    const [seat] = index < 0 ? [] : this.#seats.splice(index, 1);
    if (seat) this.#sendToOthers(seat, { type: "member-left", clientId });
  }

  #handle(socket: FakeSocket, clientId: ClientId, frame: ClientFrame): void {
    const reply = (answer: ServerFrame) => socket.receive(encodeSignallingFrame(answer));
    switch (frame.type) {
      case "hello":
        reply({ type: "welcome", version: protocolVersion, ...(this.hasNearby && { nearby: true }) });
        break;
      case "ping":
        reply({ type: "pong", ...(this.newToken !== null && { resumeToken: this.newToken }) });
        break;
      case "join":
        if (this.greeter !== null) this.#keepWaiting(socket, clientId, frame, this.greeter);
        else if (this.refusal === null) this.#join(socket, clientId, frame);
        else
          reply({
            type: "error",
            code: this.refusal,
            ...(this.retryAfterMs !== undefined && { retryAfterMs: this.retryAfterMs }),
          });
        break;
      case "nearby":
        this.#join(socket, clientId, { ...frame, room: "nearby" });
        break;
      case "leave":
        this.forget(clientId);
        break;
      case "admit":
        this.#pending.get(frame.clientId)?.();
        break;
      case "reject":
        this.#waiting.get(frame.clientId)?.end(closeCodes.forbidden, frame.reason);
        break;
      case "defer": {
        const pending: ServerFrame = { type: "pending", approval: true };
        if (this.greeter !== null) pending.greeter = this.greeter;
        this.#waiting.get(frame.clientId)?.receive(encodeSignallingFrame(pending));
        break;
      }
      case "signal": {
        const target = this.#seats.find(({ member }) => member.clientId === frame.to);
        const socketOfTarget = target?.socket ?? this.#waiting.get(frame.to);
        socketOfTarget?.receive(
          encodeSignallingFrame({ type: "signal", from: clientId, signal: frame.signal }),
        );
      }
    }
  }

  #keepWaiting(
    socket: FakeSocket,
    clientId: ClientId,
    frame: Extract<ClientFrame, { type: "join" }>,
    greeter: RoomMember,
  ): void {
    this.#waiting.set(clientId, socket);
    this.#pending.set(clientId, () => {
      this.#waiting.delete(clientId);
      this.#join(socket, clientId, frame);
    });
    socket.receive(encodeSignallingFrame({ type: "pending", greeter }));
    this.send(greeter.clientId, { type: "knock", clientId });
  }

  #join(
    socket: FakeSocket,
    clientId: ClientId,
    { room, resumeToken }: { readonly room: string; readonly resumeToken?: string | undefined },
  ): void {
    const earlier = this.#seats.find((seat) => seat.room === room && seat.member.clientId === clientId);
    const resumed = earlier !== undefined && resumeToken === earlier.token;
    if (earlier !== undefined && !resumed) {
      if (earlier.socket !== null) {
        socket.receive(encodeSignallingFrame({ type: "error", code: "already-in-room" }));
        return;
      }
      this.forget(clientId);
    } else if (earlier !== undefined) this.#seats.splice(this.#seats.indexOf(earlier), 1);
    const order = resumed ? earlier.member.order : this.#nextOrder++;
    const seat: FakeSeat = { room, member: { clientId, order }, token: `token-${order}`, socket };
    const members = this.#seats.filter((other) => other.room === room).map(({ member }) => member);
    this.#seats.push(seat);
    const replaced = earlier?.socket ?? null;
    replaced?.end(closeCodes.replaced);
    socket.receive(encodeSignallingFrame({ type: "joined", order, members, resumeToken: seat.token }));
    this.#sendToOthers(seat, { type: "member-joined", member: seat.member, resumed });
  }

  #sendToOthers(seat: FakeSeat, frame: ServerFrame): void {
    for (const other of this.#seats) {
      if (other !== seat && other.room === seat.room) other.socket?.receive(encodeSignallingFrame(frame));
    }
  }
}
