import type { RoomTag } from "@warren/protocol";
import type { Clock } from "../clock.ts";
import type { Identity } from "../identity.ts";
import { type ClientAddress, networksOf } from "./client-address.ts";
import { Usage } from "./usage.ts";

/** For how long a guess counts. */
export const guessesCountMs = 600_000;
/** Failed admissions to a room per household (an IPv4 address or IPv6 /56), and per key; an IPv6 /48 has twice as many. */
const failuresPerAddress = 5;
/** Knocks that their sender took back, likewise. They test nothing, and happen to people who reload, but cost a member work. */
const cancellationsPerAddress = 20;
/** Handshakes per room that got as far as testing a password. */
const testsPerRoom = 30;
/** Those reserved for clients without failed or pending attempts. */
const testsForTheClean = 10;
/** Counts of zero are removed once there are this many. */
const sweepAt = 10_000;

/** One newcomer with one greeter; counts as failed until it ends otherwise. */
export interface Attempt {
  /** Leaves its share of the room's test budget to others: it is tested if one is left then. */
  release(): void;
  /** Call before a password is tested. @returns false when the room's test budget is used up */
  test(): boolean;
  /** Still a failure if it was not admitted and a password could have been tested. */
  end(outcome: Outcome): void;
}

/** `cancelled`: the newcomer took its knock back. `abandoned`: no greeter was available. */
export type Outcome = "admitted" | "failed" | "cancelled" | "abandoned";

/** A client that wants to be admitted. */
export interface Applicant {
  readonly address: ClientAddress;
  readonly identity: Identity;
  /** Its key was in this room before, so it knew the password and does not use the room's test budget. */
  readonly isReturning: boolean;
}

/** A counted guess: its limit, its id and its age in ms. */
export interface Guess {
  readonly limit: string;
  readonly id: string;
  readonly ageMs: number;
}

/** Stores guesses for the processes that share rooms. */
export interface SharedGuesses {
  /** The pseudonym of an address or key, the same in every process. */
  pseudonymOf(name: string): string;
  add(room: RoomTag, guess: Guess): void;
  remove(room: RoomTag, guess: Pick<Guess, "limit" | "id">): void;
}

/** The guesses counted against one limit of a room, also in the shared store. */
interface Count {
  readonly usage: Usage;
  spend(): string;
  refund(id: string): void;
}

/** A limit that an applicant's failures or cancellations count against. */
interface Scope extends Count {
  readonly counts: "failed" | "cancelled";
  readonly max: number;
}

const testsLimit = "tests";
const returningTestsLimit = "returning-tests";

/** Limits guesses at the passwords of locked rooms, within ten minutes. */
export class AdmissionBudgets {
  readonly #privateAddressFactor: number;
  readonly #clock: Clock;
  readonly #shared: SharedGuesses | undefined;
  /** By room and limit. */
  readonly #usages = new Map<string, Usage>();
  #sweepAt = sweepAt;

  constructor(
    limits: { readonly privateAddressFactor: number },
    clock: Clock,
    shared: SharedGuesses | undefined = undefined,
  ) {
    this.#privateAddressFactor = limits.privateAddressFactor;
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Adds guesses that another process counted before the room moved here, each at most once. */
  restore(room: RoomTag, guesses: readonly Guess[]): void {
    for (const { limit, id, ageMs } of guesses) this.#usageOf(room, limit).restore(id, ageMs);
  }

  /** Adds all guesses to {@link SharedGuesses} again, after it lost them. */
  share(): void {
    for (const [key, usage] of this.#usages) {
      const [room = "", limit = ""] = key.split(" ");
      for (const [id, ageMs] of usage.ages) this.#shared?.add(room, { limit, id, ageMs });
    }
  }

  /** Whether this applicant or its network failed too often at this room. */
  isBarred(room: RoomTag, applicant: Applicant): boolean {
    return this.#scopesOf(room, applicant).some(({ usage, max }) => usage.spent >= max);
  }

  /** How much counts against an applicant and its networks at this room; least for a key that was in it. */
  countAgainst(room: RoomTag, applicant: Applicant): number {
    if (applicant.isReturning) return -1;
    return this.#scopesOf(room, applicant).reduce((sum, { usage }) => sum + usage.inUse, 0);
  }

  /** @returns undefined while pending attempts of its network or at this room may use up the budget */
  reserve(room: RoomTag, applicant: Applicant): Attempt | undefined {
    this.#sweep();
    const scopes = this.#scopesOf(room, applicant);
    if (scopes.some(({ usage, max }) => usage.inUse >= max)) return undefined;
    const isClean = scopes.every(({ counts, usage }) => counts === "cancelled" || usage.inUse === 0);
    const quota = isClean ? testsPerRoom : testsPerRoom - testsForTheClean;
    const maxTests = applicant.isReturning ? Infinity : quota * this.#factor(applicant.address);
    const tests = this.#countOf(room, applicant.isReturning ? returningTestsLimit : testsLimit);
    if (tests.usage.inUse >= maxTests) return undefined;
    tests.usage.reserve();
    for (const { usage } of scopes) usage.reserve();
    let isReserved = true;
    const tested: string[] = [];
    const release = () => {
      if (isReserved) tests.usage.release();
      isReserved = false;
    };
    return {
      release,
      test() {
        release();
        if (tests.usage.inUse >= maxTests) return false;
        tested.push(tests.spend());
        return true;
      },
      end(outcome) {
        release();
        for (const { usage } of scopes) usage.release();
        if (outcome === "admitted") for (const id of tested) tests.refund(id);
        else {
          const counted = tested.length > 0 ? "failed" : outcome;
          for (const scope of scopes) if (scope.counts === counted) scope.spend();
        }
      },
    };
  }

  /** When the room's oldest test expires, in ms since the epoch. */
  freesAt(room: RoomTag): number | undefined {
    return this.#usages.get(`${room} ${testsLimit}`)?.freesAt;
  }

  #scopesOf(room: RoomTag, { address, identity }: Applicant): Scope[] {
    const { household, site } = networksOf(address);
    const key = identity.isProven ? identity.clientId : undefined;
    const factor = this.#factor(address);
    return [
      { name: household, times: factor },
      { name: site, times: 2 * factor },
      { name: key, times: factor },
    ].flatMap(({ name, times }) => {
      if (name === undefined) return [];
      const limit = this.#shared?.pseudonymOf(`${room} ${name}`) ?? name;
      return [
        { ...this.#countOf(room, limit), counts: "failed", max: failuresPerAddress * times },
        {
          ...this.#countOf(room, `cancelled:${limit}`),
          counts: "cancelled",
          max: cancellationsPerAddress * times,
        },
      ] as const;
    });
  }

  #factor(address: ClientAddress): number {
    return address.isPrivate ? this.#privateAddressFactor : 1;
  }

  #countOf(room: RoomTag, limit: string): Count {
    const usage = this.#usageOf(room, limit);
    return {
      usage,
      spend: () => {
        const id = usage.spend();
        this.#shared?.add(room, { limit, id, ageMs: 0 });
        return id;
      },
      refund: (id) => {
        usage.refund(id);
        this.#shared?.remove(room, { limit, id });
      },
    };
  }

  #usageOf(room: RoomTag, limit: string): Usage {
    const key = `${room} ${limit}`;
    const usage = this.#usages.get(key) ?? new Usage(guessesCountMs, this.#clock);
    this.#usages.set(key, usage);
    return usage;
  }

  /** Runs rarely: the threshold doubles with the remaining entries, so a flood of addresses costs constant time each. */
  #sweep(): void {
    if (this.#usages.size < this.#sweepAt) return;
    for (const [key, usage] of this.#usages) if (usage.inUse === 0) this.#usages.delete(key);
    this.#sweepAt = Math.max(sweepAt, 2 * this.#usages.size);
  }
}
