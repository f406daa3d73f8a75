import type { ClientId, MemberSince } from "@warren/protocol";

/** How many members a room remembers. */
const membersMax = 200;
/** A member of a room. */
export interface Member extends MemberSince {
  /** When we met it ourselves; null for one that only others met. */
  readonly metAt: number | null;
  readonly lastSeen: number;
}

/** Since when each client has been a member of a room: what decides which entries it is given. All times by our own clock. */
export class Members {
  readonly #members = new Map<ClientId, Member>();

  constructor(restored: Iterable<Member> = []) {
    for (const member of restored) this.#members.set(member.client, member);
  }

  list(): readonly Member[] {
    return [...this.#members.values()];
  }

  isMet(client: ClientId): boolean {
    return typeof this.#members.get(client)?.metAt === "number";
  }

  /** We are connected with a client. @returns whether something became known by it. */
  meet(client: ClientId, now: number): boolean {
    const known = this.#members.get(client);
    this.#set({
      client,
      since: Math.min(known?.since ?? now, now),
      metAt: known?.metAt ?? now,
      lastSeen: now,
    });
    return typeof known?.metAt !== "number";
  }

  /**
   * A member says since when another one has been there. It can vouch for no time before its own, so that a newcomer cannot
   * make another one a member of long standing. @returns whether something became known by it.
   */
  vouch(by: ClientId, { client, since }: MemberSince, now: number): boolean {
    const voucher = this.#members.get(by);
    if (voucher === undefined || client === by) return false;
    const from = Math.min(now, Math.max(since, voucher.since));
    const known = this.#members.get(client);
    if (known !== undefined && known.since <= from) return false;
    if (known === undefined && this.#members.size >= membersMax) return false;
    this.#set({ client, since: from, metAt: known?.metAt ?? null, lastSeen: known?.lastSeen ?? from });
    return true;
  }

  remove(client: ClientId): void {
    this.#members.delete(client);
  }

  /** The time from which a client is given entries. */
  givenSince(client: ClientId): number {
    return this.#members.get(client)?.since ?? Number.POSITIVE_INFINITY;
  }

  #set(member: Member): void {
    this.#members.set(member.client, member);
    if (this.#members.size <= membersMax) return;
    const [oldest] = [...this.#members.values()].sort((one, other) => one.lastSeen - other.lastSeen);
    if (oldest !== undefined && oldest.client !== member.client) this.#members.delete(oldest.client);
  }
}
