import { type ClientId, limits, type MemberSince } from "@warren/protocol";

/** How many members a room remembers: as many as one message about the log names. */
const membersMax = limits.logAuthors;

/** A member of a room. */
export interface Member extends MemberSince {
  /** When we met it ourselves; null for one that only others met. */
  readonly metAt: number | null;
  readonly lastSeen: number;
  /** What it was called when we last met it. */
  readonly name?: string | undefined;
  /** The time from which we show it what was said before it came, as a newcomer; told to nobody. */
  readonly shownSince?: number | undefined;
}

/** What has to be stored of the members, and no longer. */
export interface MemberChanges {
  readonly put: readonly Member[];
  readonly gone: readonly ClientId[];
}

/**
 * Since when each client has been a member of a room: what decides which entries it is given. All times by our own clock.
 * Those seen last are kept.
 */
export class Members {
  readonly #members = new Map<ClientId, Member>();
  readonly #changed = new Set<ClientId>();

  constructor(restored: Iterable<Member> = []) {
    for (const member of [...restored].sort((one, other) => one.lastSeen - other.lastSeen)) this.#set(member);
    for (const client of this.#members.keys()) this.#changed.delete(client);
  }

  list(): readonly Member[] {
    return [...this.#members.values()];
  }

  /** What has changed since this was last called. */
  takeChanges(): MemberChanges {
    const changed = [...this.#changed];
    this.#changed.clear();
    return {
      put: changed.flatMap((client) => this.#members.get(client) ?? []),
      gone: changed.filter((client) => !this.#members.has(client)),
    };
  }

  /** Since when a client has been a member, as far as we know. */
  sinceOf(client: ClientId): number | undefined {
    return this.#members.get(client)?.since;
  }

  /** Whether we have met a client ourselves: until then it is a newcomer to us. */
  isMet(client: ClientId): boolean {
    return typeof this.#members.get(client)?.metAt === "number";
  }

  /**
   * We are connected with a client.
   * @param shownSince the time from which it is shown what was said before, if we had not met it
   * @returns whether something became known by it.
   */
  meet(client: ClientId, now: number, name?: string, shownSince?: number): boolean {
    const known = this.#members.get(client);
    const shown = this.isMet(client) ? known?.shownSince : shownSince;
    const called = name ?? known?.name;
    this.#set({
      client,
      since: Math.min(known?.since ?? now, now),
      metAt: known?.metAt ?? now,
      lastSeen: now,
      ...(called !== undefined && { name: called }),
      ...(shown !== undefined && { shownSince: shown }),
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
    this.#set({ metAt: null, lastSeen: from, ...known, client, since: from });
    return true;
  }

  /** Since when a client has been a member, if it is shown what was said before. */
  newcomerSince(client: ClientId): number | null {
    const { since = null, shownSince } = this.#members.get(client) ?? {};
    return shownSince === undefined ? null : since;
  }

  /** The time from which a client is given entries. */
  givenSince(client: ClientId): number {
    const { since = Number.POSITIVE_INFINITY, shownSince = since } = this.#members.get(client) ?? {};
    return Math.min(since, shownSince);
  }

  #set(member: Member): void {
    this.#members.set(member.client, member);
    this.#changed.add(member.client);
    if (this.#members.size <= membersMax) return;
    const others = this.list().filter(({ client }) => client !== member.client);
    const gone = others.reduce((oldest, other) => (other.lastSeen < oldest.lastSeen ? other : oldest));
    this.#members.delete(gone.client);
    this.#changed.add(gone.client);
  }
}
