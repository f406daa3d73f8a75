import { randomBytes } from "node:crypto";
import type { ClientId, RoomMember, RoomTag } from "@warren/protocol";
import type { Logger } from "pino";
import { type CancelTimer, type Clock, sleep } from "../clock.ts";
import type { ResumeClaim } from "../resume-token.ts";
import type { MemoryRelay } from "./memory-relay.ts";
import { type Act, type NodeMessage, perform } from "./node-message.ts";
import type {
  Knock,
  RelayedSignal,
  RoomEvent,
  RoomListener,
  Seat,
  SeatAnswer,
  SeatRequest,
} from "./relay.ts";
import { type RemoteEntry, RoomView } from "./room-view.ts";

/** How long members may take to follow a room that moved. */
const followWithinMs = 20_000;
/** The time limit for a home's answer. There is no retry, which would add to the load of an overloaded home. */
const answerWithinMs = 10_000;
/** How often, and after which time, to look up a room again that its home has just released. */
const seatTries = 100;
const seatRetryMs = 50;

type EnterAnswer = Extract<NodeMessage, { type: "seated" | "pending" | "refused" | "elsewhere" }>;

/** A local client's seat in a room, which may live on any node. */
class Visit implements Seat, Knock {
  /** Unique for each node it asks. */
  id = newId();
  readonly request: SeatRequest;
  readonly listener: RoomListener;
  readonly view = new RoomView();
  /** The node that the room lives on. */
  home: string | undefined;
  /** Its seat, if the room lives here. */
  seat: Seat | Knock | undefined;
  /** The number of events received from the room's home. */
  number = 0;
  status: "moving" | "seated" | "lost" | "over" = "moving";
  /** Its end, if it ended while moving. */
  farewell: Act | undefined;
  cancelFollow: CancelTimer | undefined;
  readonly #act: (visit: Visit, act: Act) => void;

  constructor(request: SeatRequest, listener: RoomListener, act: (visit: Visit, act: Act) => void) {
    this.request = request;
    this.listener = listener;
    this.#act = act;
  }

  send(to: ClientId, signal: RelayedSignal): void {
    this.#act(this, { type: "signal", to, signal });
  }

  admit(clientId: ClientId): void {
    this.#act(this, { type: "admit", clientId });
  }

  reject(clientId: ClientId, reason: "incorrect-password" | "not-admitted"): void {
    this.#act(this, { type: "reject", clientId, reason });
  }

  defer(clientId: ClientId): void {
    this.#act(this, { type: "defer", clientId });
  }

  leave(): void {
    this.#act(this, { type: "leave" });
  }

  drop(): void {
    this.#act(this, { type: "drop" });
  }

  cancel(): void {
    this.#act(this, { type: "leave" });
  }
}

interface VisitsDeps {
  /** This node. */
  readonly node: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly local: MemoryRelay;
  /** Aborted when the relay closes. */
  readonly closed: AbortSignal;
  readonly isUp: () => boolean;
  /** The node that a room lives on, which may be this one from now on; undefined if it may not be opened. */
  readonly homeOf: (room: RoomTag, mayOpenRoom: () => boolean) => Promise<string | undefined>;
  readonly send: (node: string, message: NodeMessage) => void;
  /** A message was lost. */
  readonly checkSoon: () => void;
}

/**
 * The clients of this node in their rooms, which may live anywhere. When a room's home dies, each visit returns to the room
 * with its order, wherever the room lives then.
 */
export class Visits {
  readonly #deps: VisitsDeps;
  readonly #visits = new Map<string, Visit>();
  readonly #asking = new Map<string, (answer: EnterAnswer) => void>();
  /** Rooms that are moving into this node's memory. */
  readonly #opening = new Map<RoomTag, number>();

  constructor(deps: VisitsDeps) {
    this.#deps = deps;
  }

  async enter(request: SeatRequest, listener: RoomListener): Promise<SeatAnswer> {
    const visit = new Visit(request, listener, this.#act);
    const answer = await this.#findSeat(visit, request.claim, request.mayOpenRoom);
    if (answer.status === "refused") {
      this.#end(visit);
      return answer;
    }
    this.#arrive(visit);
    return answer.status === "pending" ? { ...answer, knock: visit } : { ...answer, seat: visit };
  }

  isOpening(room: RoomTag): boolean {
    return this.#opening.has(room);
  }

  /** The homes of the rooms, other than this node. */
  *homes(): Iterable<string> {
    for (const { home } of this.#visits.values())
      if (home !== undefined && home !== this.#deps.node) yield home;
  }

  /** The visits at other nodes, and how many events of each have arrived. */
  *remote(): Iterable<{ readonly home: string; readonly id: string; readonly number: number }> {
    for (const { id, home, number, status } of this.#visits.values())
      if (home !== undefined && home !== this.#deps.node && status !== "lost") yield { home, id, number };
  }

  /** An answer to a request for a seat. */
  answered(from: string, message: EnterAnswer): void {
    const visit = this.#visits.get(message.visit);
    if (visit?.home !== from) return;
    const answer = this.#asking.get(message.visit);
    if (answer && message.type === "seated") this.#onSeated(visit, message);
    if (answer) answer(message);
    else if (message.type === "elsewhere") void this.#move(visit);
  }

  /** An event in a room of another node. */
  happened(from: string, { visit: id, number, event }: Extract<NodeMessage, { type: "event" }>): void {
    const visit = this.#visits.get(id);
    if (visit?.home !== from) return;
    visit.number += 1;
    if (visit.number !== number) this.#deps.checkSoon();
    else this.#onEvent(visit, event.type === "admitted" ? { ...event, seat: visit } : event);
  }

  /** What a home found out by comparing. */
  checked(from: string, { over, behind }: Extract<NodeMessage, { type: "checked" }>): void {
    for (const id of over) {
      const visit = this.#visits.get(id);
      if (visit?.home === from) void this.#move(visit);
    }
    for (const { visit: id, number, entry } of behind) {
      const visit = this.#visits.get(id);
      if (visit?.home !== from || visit.number >= number) continue;
      visit.number = number;
      if (entry) this.#catchUp(visit, entry);
    }
  }

  /** The rooms of a node need another home. */
  homeGone(node: string): void {
    for (const visit of [...this.#visits.values()]) {
      if (visit.home !== node) continue;
      const answer = this.#asking.get(visit.id);
      if (answer) answer({ type: "elsewhere", visit: visit.id });
      else void this.#move(visit);
    }
  }

  /** A room that lived here lives elsewhere. */
  released(room: RoomTag): void {
    for (const visit of [...this.#visits.values()])
      if (visit.request.room === room && visit.home === this.#deps.node) void this.#move(visit);
  }

  /** Looks again for the rooms that had no home. */
  retryLost(): void {
    for (const visit of [...this.#visits.values()]) if (visit.status === "lost") void this.#move(visit);
  }

  close(): void {
    for (const { cancelFollow } of this.#visits.values()) cancelFollow?.();
    for (const [visit, answer] of [...this.#asking])
      answer({ type: "refused", visit, reason: "unavailable" });
    this.#visits.clear();
  }

  /** Finds the room, or becomes its home, and asks for a seat there. */
  async #findSeat(
    visit: Visit,
    claim: ResumeClaim | undefined,
    mayOpenRoom: () => boolean,
  ): Promise<SeatAnswer> {
    const { room } = visit.request;
    this.#opening.set(room, (this.#opening.get(room) ?? 0) + 1);
    try {
      for (let tries = 0; tries < seatTries; tries++) {
        const home = await this.#deps.homeOf(room, mayOpenRoom);
        if (this.#deps.closed.aborted) return unavailable;
        // The client left meanwhile and may have joined through another node: ask for nothing.
        if (visit.farewell?.type === "leave") return unavailable;
        if (home === undefined) return { status: "refused", reason: "rate-limited" };
        const answer = await this.#askAt(home, visit, claim);
        if (answer) return answer;
        await sleep(this.#deps.clock, seatRetryMs, this.#deps.closed);
      }
      return unavailable;
    } catch (error) {
      this.#deps.log.debug({ err: error }, "redis does not answer");
      return unavailable;
    } finally {
      const left = (this.#opening.get(room) ?? 1) - 1;
      if (left > 0) this.#opening.set(room, left);
      else this.#opening.delete(room);
    }
  }

  /** @returns undefined if the room does not live there */
  async #askAt(home: string, visit: Visit, claim: ResumeClaim | undefined): Promise<SeatAnswer | undefined> {
    this.#visits.delete(visit.id);
    visit.id = newId();
    visit.home = home;
    visit.number = 0;
    this.#visits.set(visit.id, visit);
    if (home === this.#deps.node) return this.#askHere(visit, claim);
    if (!this.#deps.isUp()) return unavailable;
    const { room, identity, address, locked, maxMembers } = visit.request;
    const answer = await this.#ask(home, {
      type: "enter",
      visit: visit.id,
      ...{ room, identity, address, locked, maxMembers, claim, follows: visit.view.entry !== undefined },
    });
    if (answer.type === "elsewhere") return undefined;
    if (answer.type === "refused")
      return { status: "refused", reason: answer.reason, retryAfterMs: answer.retryAfterMs };
    if (answer.type === "pending") return { status: "pending", knock: visit };
    const { order, incarnation, members } = answer;
    return { status: "seated", seat: visit, order, incarnation, members };
  }

  #askHere(visit: Visit, claim: ResumeClaim | undefined): SeatAnswer {
    const follows = visit.view.entry !== undefined;
    const request = { ...visit.request, claim, follows, mayOpenRoom: () => true };
    const answer = this.#deps.local.enterAtOnce(request, (event) => this.#onEvent(visit, event));
    if (answer.status === "pending") visit.seat = answer.knock;
    else if (answer.status === "seated") {
      visit.seat = answer.seat;
      this.#onSeated(visit, answer);
    }
    return answer;
  }

  #ask(home: string, message: Extract<NodeMessage, { type: "enter" }>): Promise<EnterAnswer> {
    const { visit } = message;
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(answerWithinMs, () => {
        // It may have been seated, with only the answer lost.
        this.#deps.send(home, { type: "act", visit, act: { type: "leave" } });
        this.#asking.get(visit)?.({ type: "refused", visit, reason: "unavailable" });
      });
      this.#asking.set(visit, (answer) => {
        cancel();
        this.#asking.delete(visit);
        resolve(answer);
      });
      this.#deps.send(home, message);
    });
  }

  /** Records that a visit was seated or is pending. */
  #arrive(visit: Visit): void {
    if (visit.status === "moving") visit.status = "seated";
    if (visit.farewell) this.#act(visit, visit.farewell);
  }

  readonly #act = (visit: Visit, act: Act): void => {
    const isFarewell = act.type === "leave" || act.type === "drop";
    if (visit.status === "over") return;
    if (visit.status !== "seated") {
      if (isFarewell) visit.farewell = act;
      if (isFarewell && visit.status === "lost") this.#end(visit);
      return;
    }
    if (visit.seat) perform(visit.seat, act);
    else if (visit.home !== undefined) this.#deps.send(visit.home, { type: "act", visit: visit.id, act });
    if (isFarewell) this.#end(visit);
  };

  #end(visit: Visit): void {
    visit.status = "over";
    visit.cancelFollow?.();
    this.#visits.delete(visit.id);
  }

  /** Handles an event in a local client's room. */
  #onEvent(visit: Visit, event: RoomEvent): void {
    if (visit.status === "over") return;
    visit.view.follow(event);
    if (event.type === "turned-away" || event.type === "replaced") this.#end(visit);
    if (event.type === "admitted") {
      if (visit.home === this.#deps.node) visit.seat = event.seat;
      visit.listener({ ...event, seat: visit });
    } else visit.listener(event);
  }

  /** The room no longer lives where the visit was: the visit follows it, or restores it here. */
  async #move(visit: Visit): Promise<void> {
    if (visit.status !== "seated" && visit.status !== "lost") return;
    visit.status = "moving";
    visit.seat = undefined;
    const before = visit.view.entry;
    const { claim, identity, locked } = visit.request;
    const member = before && {
      incarnation: before.incarnation,
      order: before.order,
      // From an earlier room.
      issuedAt: 0,
      isFresh: true,
      isProven: identity.isProven,
      isLocked: locked,
    };
    const answer = await this.#findSeat(visit, member ?? claim, () => true);
    if (answer.status === "refused" && answer.reason === "unavailable") {
      if (visit.farewell) this.#end(visit);
      else visit.status = "lost";
      return;
    }
    if (answer.status === "refused") {
      const { reason, retryAfterMs } = answer;
      this.#onEvent(visit, { type: "turned-away", reason, retryAfterMs });
    } else if (before && (answer.status === "pending" || answer.order !== before.order)) {
      // The seat there is not this client's: it must join again.
      visit.farewell = { type: "leave" };
      this.#arrive(visit);
      visit.listener({ type: "turned-away", reason: "room-gone" });
    } else this.#arrive(visit);
  }

  /**
   * Records the seat of a visit. Called before the next event of the room, so that a client receives the changes in a room
   * that moved in order.
   */
  #onSeated(visit: Visit, now: RemoteEntry): void {
    const before = visit.view.entry;
    visit.view.enter(now);
    if (before?.order === now.order) this.#awaitFollowers(visit, this.#compare(visit, now, before));
  }

  /** Reports new members to a client. @returns the members that are missing */
  #compare(visit: Visit, now: RemoteEntry, before: RemoteEntry): RoomMember[] {
    for (const member of now.members) {
      const known = before.members.find(({ clientId }) => clientId === member.clientId);
      if (known?.order !== member.order) visit.listener({ type: "member-joined", member, resumed: false });
    }
    const present = new Set(now.members.map(({ clientId }) => clientId));
    return before.members.filter(({ clientId }) => !present.has(clientId));
  }

  #awaitFollowers(visit: Visit, followers: readonly RoomMember[]): void {
    if (followers.length === 0) return;
    visit.cancelFollow?.();
    visit.cancelFollow = this.#deps.clock.after(followWithinMs, () => {
      for (const { clientId } of followers) {
        if (!visit.view.members.has(clientId)) visit.listener({ type: "member-left", clientId });
      }
    });
  }

  /** Sends a client the events that it missed because a message was lost. */
  #catchUp(visit: Visit, now: RemoteEntry): void {
    const before = visit.view.entry;
    if (!before) {
      this.#onEvent(visit, { type: "admitted", seat: visit, ...now });
      return;
    }
    const gone = this.#compare(visit, now, before);
    visit.view.enter(now);
    for (const { clientId } of gone) visit.listener({ type: "member-left", clientId });
  }
}

const unavailable = { status: "refused", reason: "unavailable" } as const;

/** An id that nobody else has. */
export function newId(): string {
  return randomBytes(16).toString("base64url");
}
