import {
  type closeCodes,
  limits,
  protocolVersion,
  type Rate,
  type ServerFrame,
  type SignallingErrorCode,
} from "@warren/protocol";
import { type Identity, identify } from "./identity.ts";
import type { InboundFrame } from "./inbound-frame.ts";
import type { ClientAddress } from "./limits/client-address.ts";
import { refusals } from "./refusals.ts";
import type { Denial, Knock, RoomEvent, Seat } from "./relay/relay.ts";
import type { NearbyTags } from "./rooms/nearby.ts";
import type { JoinEvent, JoinRequest, Renew, Rooms } from "./rooms/rooms.ts";

/** The state of a client. */
export type SessionState =
  /** It must send `hello` before `until`, in elapsed time of the clock. */
  | { readonly status: "greeting"; readonly nonce: string; readonly until: number }
  | { readonly status: "outside"; readonly identity: Identity }
  /** Waiting for admission to a locked room. */
  | { readonly status: "pending"; readonly identity: Identity; readonly knock: Knock }
  | {
      readonly status: "in-room";
      readonly identity: Identity;
      readonly seat: Seat;
      readonly renew: Renew;
    };

/** A frame of the server; a signal is forwarded as the text received. */
export type OutboundFrame = Exclude<ServerFrame, { type: "signal" }> | Extract<RoomEvent, { type: "signal" }>;

/** The connection of a frame, as its handler sees it. */
export interface Session {
  readonly state: SessionState;
  readonly address: ClientAddress;
  /** The network whose pages meet by `nearby`; undefined where it is not known. */
  readonly network: string | undefined;
  /** Whether a client, with a key or without, may name the server by this origin. */
  isCalled(server: string, hasKey: boolean): boolean;
  /** Changes the state. If the socket has closed meanwhile, a seat in the new state is given up. */
  moveTo(state: SessionState): void;
  send(frame: OutboundFrame): void;
  /** Closes the socket with a code of the protocol; the client and the counters receive the reason. */
  close(code: keyof typeof closeCodes, reason: string): void;
  mayOpenRoom(): boolean;
  /** Counts a join; closes the socket if it was told to wait and did not. @returns after how many ms it may join, or 0 */
  countJoin(): number;
}

/** The dependencies of handlers besides the session. */
export interface HandlerTools {
  readonly rooms: Rooms;
  readonly nearby: NearbyTags;
  /** How many frames a socket may send. */
  readonly frameRate: Rate;
}

type FrameType = InboundFrame["type"];
type FrameOf<T extends FrameType> = Extract<InboundFrame, { type: T }>;
type Handler<T extends FrameType> = (
  session: Session,
  frame: FrameOf<T>,
  tools: HandlerTools,
) => void | Promise<void>;

const handlers: { readonly [T in FrameType]: Handler<T> } = {
  async hello(session, frame, { frameRate }) {
    if (session.state.status !== "greeting") return violate(session);
    if (!session.isCalled(frame.server, frame.publicKey !== ""))
      return session.close("forbidden", "server-name");
    const identity = await identify(session.state.nonce, frame);
    if (!identity) return session.close("forbidden", "identity");
    session.moveTo({ status: "outside", identity });
    session.send({
      ...{ type: "welcome", version: protocolVersion, frames: frameRate },
      ...(session.network !== undefined && { nearby: true }),
    });
  },

  join(session, { room, locked, resumeToken }, { rooms }) {
    return enter(session, rooms, { room, locked, resumeToken });
  },

  nearby(session, { resumeToken }, { rooms, nearby }) {
    const { network } = session;
    if (network === undefined) return violate(session);
    const room = nearby.tagOf(network);
    return enter(session, rooms, { room, locked: false, resumeToken, maxMembers: limits.nearbyMembers });
  },

  leave(session) {
    const { state } = session;
    if (state.status !== "in-room" && state.status !== "pending") return refuse(session, "not-in-room");
    session.moveTo({ status: "outside", identity: state.identity });
    if (state.status === "in-room") state.seat.leave();
    else state.knock.cancel();
  },

  signal(session, { to, signal }) {
    const { state } = session;
    if (state.status === "in-room") state.seat.send(to, signal);
    else if (state.status === "pending") state.knock.send(to, signal);
    else refuse(session, "not-in-room");
  },

  admit(session, { clientId }) {
    if (session.state.status === "in-room") session.state.seat.admit(clientId);
    else refuse(session, "not-in-room");
  },

  reject(session, { clientId, reason }) {
    if (session.state.status === "in-room")
      session.state.seat.reject(clientId, reason ?? "incorrect-password");
    else refuse(session, "not-in-room");
  },

  defer(session, { clientId }) {
    if (session.state.status === "in-room") session.state.seat.defer(clientId);
    else refuse(session, "not-in-room");
  },

  ping(session) {
    const { state } = session;
    session.send({ type: "pong", ...(state.status === "in-room" && state.renew()) });
  },
};

/** Runs the handler of a frame; before `hello`, no other frame is accepted. */
export function handleFrame(
  session: Session,
  frame: InboundFrame,
  tools: HandlerTools,
): void | Promise<void> {
  if (session.state.status === "greeting" && frame.type !== "hello") return violate(session);
  return dispatch(session, frame, tools);
}

async function enter(
  session: Session,
  rooms: Rooms,
  entrance: Pick<JoinRequest, "room" | "locked" | "resumeToken" | "maxMembers">,
): Promise<void> {
  const { state, address } = session;
  if (state.status === "pending") return refuse(session, "not-in-room");
  if (state.status !== "outside") return refuse(session, "already-in-room");
  const waitMs = session.countJoin();
  if (waitMs > 0) return refuse(session, "rate-limited", waitMs);
  const { identity } = state;
  const answer = await rooms.join(
    { identity, address, ...entrance, mayOpenRoom: () => session.mayOpenRoom() },
    (event) => onJoinEvent(session, identity, event),
  );
  if (answer.status === "refused") return turnAway(session, identity, answer);
  if (answer.status === "pending") {
    session.moveTo({ status: "pending", identity, knock: answer.knock });
  } else {
    const { seat, renew } = answer;
    session.moveTo({ status: "in-room", identity, seat, renew });
    session.send(answer.frame);
  }
  answer.listen();
}

function onJoinEvent(session: Session, identity: Identity, event: JoinEvent): void {
  if (event.type === "admitted") {
    const { seat, renew } = event;
    session.moveTo({ status: "in-room", identity, seat, renew });
    session.send(event.frame);
  } else if (event.type === "turned-away") turnAway(session, identity, event);
  else if (event.type === "replaced") session.close("replaced", event.type);
  else session.send(event);
}

/** A member that loses its seat has asked for nothing, so no error can answer it: its socket closes. */
function turnAway(session: Session, identity: Identity, { reason, retryAfterMs }: Denial): void {
  const refusal = refusals[reason];
  if ("close" in refusal) session.close(refusal.close, reason);
  else if (session.state.status === "in-room") session.close("overloaded", reason);
  else {
    session.moveTo({ status: "outside", identity });
    refuse(session, refusal.error, retryAfterMs);
  }
}

/** The client violated the protocol. */
function violate(session: Session): void {
  session.close("badFrame", "protocol-violation");
}

function refuse(session: Session, code: SignallingErrorCode, retryAfterMs?: number): void {
  session.send({ type: "error", code, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}

function dispatch<T extends FrameType>(
  session: Session,
  frame: { [K in T]: FrameOf<K> }[T],
  tools: HandlerTools,
): void | Promise<void> {
  const handler: Handler<T> = handlers[frame.type];
  return handler(session, frame, tools);
}
