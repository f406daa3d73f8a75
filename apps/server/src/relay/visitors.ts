import type { RoomTag } from "@warren/protocol";
import type { MemoryRelay } from "./memory-relay.ts";
import { type NodeMessage, perform } from "./node-message.ts";
import type { Knock, RoomEvent, Seat } from "./relay.ts";
import { type RemoteEvent, RoomView } from "./room-view.ts";

/** A remote client's seat in a room that lives here. */
interface Visitor {
  readonly node: string;
  readonly room: RoomTag;
  readonly view: RoomView;
  seat: Seat | Knock | undefined;
  /** The number of events sent to it. */
  number: number;
}

interface VisitorsDeps {
  readonly local: MemoryRelay;
  /** Whether a room is moving into this node's memory. */
  readonly isOpening: (room: RoomTag) => boolean;
  /** Redis takes a room for one of this node's that does not live here. */
  readonly release: (room: RoomTag) => void;
  readonly send: (node: string, message: NodeMessage) => void;
}

/** The clients of other nodes in the rooms that live here. */
export class Visitors {
  readonly #deps: VisitorsDeps;
  readonly #visitors = new Map<string, Visitor>();

  constructor(deps: VisitorsDeps) {
    this.#deps = deps;
  }

  *nodes(): Iterable<string> {
    for (const { node } of this.#visitors.values()) yield node;
  }

  /** A remote client asks for a seat in a room that Redis assigns to this node. */
  enter(node: string, { visit, room, ...rest }: Extract<NodeMessage, { type: "enter" }>): void {
    if (!this.#deps.local.has(room)) {
      if (!this.#deps.isOpening(room)) this.#deps.release(room);
      this.#deps.send(node, { type: "elsewhere", visit });
      return;
    }
    const visitor: Visitor = { node, room, view: new RoomView(), seat: undefined, number: 0 };
    this.#visitors.set(visit, visitor);
    const request = { ...rest, room, claim: rest.claim, mayOpenRoom: () => true };
    const answer = this.#deps.local.enterAtOnce(request, (event) => this.#sendEvent(visit, visitor, event));
    if (answer.status === "refused") {
      this.#visitors.delete(visit);
      this.#deps.send(node, {
        type: "refused",
        visit,
        reason: answer.reason,
        retryAfterMs: answer.retryAfterMs,
      });
    } else if (answer.status === "pending") {
      visitor.seat ??= answer.knock;
      this.#deps.send(node, { type: "pending", visit });
    } else {
      const { seat, order, incarnation, members } = answer;
      visitor.seat = seat;
      visitor.view.enter(answer);
      this.#deps.send(node, { type: "seated", visit, order, incarnation, members: [...members] });
    }
  }

  acted(from: string, { visit, act }: Extract<NodeMessage, { type: "act" }>): void {
    const visitor = this.#visitors.get(visit);
    if (visitor?.node !== from) return;
    if (act.type === "leave" || act.type === "drop") this.#visitors.delete(visit);
    if (visitor.seat) perform(visitor.seat, act);
  }

  /** Drops the clients of a node that died or is stopping. */
  nodeGone(node: string, keptMs?: number): void {
    for (const [id, visitor] of [...this.#visitors])
      if (visitor.node === node) this.#dismiss(id, visitor, keptMs);
  }

  /** A room that lived here lives elsewhere. */
  released(room: RoomTag): void {
    for (const [id, visitor] of [...this.#visitors]) {
      if (visitor.room !== room) continue;
      this.#visitors.delete(id);
      this.#deps.send(visitor.node, { type: "elsewhere", visit: id });
    }
  }

  close(): void {
    this.#visitors.clear();
  }

  /** Compares the visits that a node knows with the visitors from there, and answers. */
  check(from: string, { round, visits }: Extract<NodeMessage, { type: "check" }>): void {
    const named = new Map(visits);
    for (const [id, visitor] of [...this.#visitors]) {
      if (visitor.node === from && visitor.seat && !named.has(id)) this.#dismiss(id, visitor);
    }
    const over: string[] = [];
    const behind: Extract<NodeMessage, { type: "checked" }>["behind"] = [];
    for (const [visit, number] of visits) {
      const visitor = this.#visitors.get(visit);
      if (visitor?.node !== from) over.push(visit);
      else if (number < visitor.number)
        behind.push({ visit, number: visitor.number, entry: toEntry(visitor.view) });
    }
    this.#deps.send(from, { type: "checked", round, over, behind });
  }

  #sendEvent(visit: string, visitor: Visitor, event: RoomEvent): void {
    visitor.view.follow(event);
    visitor.number += 1;
    const { number } = visitor;
    if (event.type === "admitted") visitor.seat = event.seat;
    if (event.type === "turned-away" || event.type === "replaced") this.#visitors.delete(visit);
    this.#deps.send(visitor.node, { type: "event", visit, number, event: withoutSeat(event) });
  }

  #dismiss(id: string, { seat }: Visitor, keptMs?: number): void {
    this.#visitors.delete(id);
    if (seat && "drop" in seat) seat.drop(keptMs);
    else seat?.cancel();
  }
}

function toEntry({ entry }: RoomView) {
  return entry && { ...entry, members: [...entry.members] };
}

function withoutSeat(event: RoomEvent): RemoteEvent {
  if (event.type !== "admitted") return event;
  const { order, incarnation, members } = event;
  return { type: "admitted", order, incarnation, members: [...members] };
}
