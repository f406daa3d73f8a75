import type { ClientId, RoomMember } from "@warren/protocol";
import { Emitting, type Unsubscribe } from "../shared/emitter.ts";

type RosterEvents = { join: [member: RoomMember, resumed: boolean]; leave: [clientId: ClientId] };

/** The other members of a room as a signalling backend knows them. */
export class MemberRoster extends Emitting<RosterEvents> {
  readonly #present = new Map<ClientId, { readonly member: RoomMember; readonly resumed: boolean }>();

  /** Calls back for each member: current ones immediately, others as they join. */
  listenForJoin(callback: (member: RoomMember, resumed: boolean) => void): Unsubscribe {
    for (const { member, resumed } of [...this.#present.values()]) callback(member, resumed);
    return this.on("join", callback);
  }

  listenForLeave(callback: (clientId: ClientId) => void): Unsubscribe {
    return this.on("leave", callback);
  }

  /** Adds a member that joined, or returned to its seat. */
  add(member: RoomMember, resumed: boolean): void {
    this.#present.set(member.clientId, { member, resumed });
    this.emit("join", member, resumed);
  }

  /** Removes a member that left. */
  remove(clientId: ClientId): void {
    if (this.#present.delete(clientId)) this.emit("leave", clientId);
  }

  /** Replaces the roster after our own join: reports members that left and new ones, but not the remaining ones. */
  replace(members: readonly RoomMember[], resumed: boolean): void {
    const found = new Set(members.map((member) => member.clientId));
    for (const clientId of [...this.#present.keys()]) if (!found.has(clientId)) this.remove(clientId);
    for (const member of members) {
      if (this.#present.get(member.clientId)?.member.order !== member.order) this.add(member, resumed);
    }
  }

  override clear(): void {
    this.#present.clear();
    super.clear();
  }
}
