import type { ClientId, RoomMember } from "@warren/protocol";
import type { Incarnation } from "../resume-token.ts";
import type { NodeMessage } from "./node-message.ts";
import type { Entry, RoomEvent } from "./relay.ts";

/** An event of a room as nodes send it: a seat stays where it is. */
export type RemoteEvent = Extract<NodeMessage, { type: "event" }>["event"];
export type RemoteEntry = Omit<Entry, "seat">;

/** A member's view of its room, kept on both sides of a visit to repair lost events. */
export class RoomView {
  #own: { readonly order: number; readonly incarnation: Incarnation } | undefined;
  readonly members = new Map<ClientId, RoomMember>();

  /** Absent until the client has joined. */
  get entry(): RemoteEntry | undefined {
    return this.#own && { ...this.#own, members: [...this.members.values()] };
  }

  enter({ order, incarnation, members }: RemoteEntry): void {
    this.#own = { order, incarnation };
    this.members.clear();
    for (const member of members) this.members.set(member.clientId, member);
  }

  follow(event: RoomEvent | RemoteEvent): void {
    if (event.type === "member-joined") this.members.set(event.member.clientId, event.member);
    else if (event.type === "member-left") this.members.delete(event.clientId);
    else if (event.type === "admitted") this.enter(event);
  }
}
