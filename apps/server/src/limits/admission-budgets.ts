import type { RoomTag } from "@warren/protocol";
import type { Clock } from "../clock.ts";
import type { Identity } from "../identity.ts";
import { type ClientAddress, networksOf } from "./client-address.ts";
import { Usage } from "./usage.ts";

const windowMs = 600_000;
/** Failed admissions to one room from one IPv4 address or IPv6 /56, which is one household, and from one key. */
const failuresPerAddress = 5;
/** From one IPv6 /48, which is one site or a customer of many households. */
const failuresPerSite = 10;
/** Runs of the handshake that went as far as to test a password, for one room. */
const testsPerRoom = 30;
/** How many of those are for clients of which neither address nor key has failed here, or is trying. */
const testsForTheClean = 10;
/** Counts that are at zero again are forgotten when this many are held. */
const sweepAt = 10_000;

/** One newcomer with one greeter, counted as if it would fail until it ends otherwise. */
export interface Attempt {
  /** A password is about to be tested; false when the room has had its fill of that. */
  test(): boolean;
  /** `abandoned`: for want of a greeter; it still counts as failed once a password could be tested. */
  end(outcome: "admitted" | "failed" | "abandoned"): void;
}

/** Who wants to be admitted. */
export interface Applicant {
  readonly address: ClientAddress;
  readonly identity: Identity;
  /** Its key was in this room before, so that it knew the password: the room's tests are not for it. */
  readonly isReturning: boolean;
}

/** Where failures of an applicant count, and how many may. */
interface Scope {
  readonly usage: Usage;
  readonly max: number;
}

/** How often passwords of locked rooms may be guessed, each within ten minutes. */
export class AdmissionBudgets {
  readonly #privateAddressFactor: number;
  readonly #clock: Clock;
  readonly #tests = new Map<string, Usage>();
  readonly #failures = new Map<string, Usage>();
  #sweepAt = sweepAt;

  constructor(limits: { readonly privateAddressFactor: number }, clock: Clock) {
    this.#privateAddressFactor = limits.privateAddressFactor;
    this.#clock = clock;
  }

  /** Whether this applicant, or others of its network, have failed too often at this room. */
  isBarred(room: RoomTag, applicant: Applicant): boolean {
    return this.#scopesOf(room, applicant).some(({ usage, max }) => usage.spent >= max);
  }

  /** @returns undefined while other attempts, of its network or at this room, may still use up what is left. */
  reserve(room: RoomTag, applicant: Applicant): Attempt | undefined {
    this.#sweep();
    const scopes = this.#scopesOf(room, applicant);
    if (scopes.some(({ usage, max }) => usage.inUse >= max)) return undefined;
    const isClean = scopes.every(({ usage }) => usage.inUse === 0);
    const share = isClean ? testsPerRoom : testsPerRoom - testsForTheClean;
    const maxTests = applicant.isReturning ? Infinity : share * this.#factor(applicant.address);
    const tests = this.#usageOf(this.#tests, applicant.isReturning ? `${room} returning` : room);
    if (tests.inUse >= maxTests) return undefined;
    tests.reserve();
    for (const { usage } of scopes) usage.reserve();
    let isReserved = true;
    const tested: number[] = [];
    const release = () => {
      if (isReserved) tests.release();
      isReserved = false;
    };
    return {
      test() {
        release();
        if (tests.inUse >= maxTests) return false;
        tested.push(tests.spend());
        return true;
      },
      end(outcome) {
        release();
        for (const { usage } of scopes) usage.release();
        if (outcome === "admitted") for (const at of tested) tests.refund(at);
        else if (outcome === "failed" || tested.length > 0) for (const { usage } of scopes) usage.spend();
      },
    };
  }

  /** When a test of this room will no longer count, in ms since the epoch. */
  freesAt(room: RoomTag): number | undefined {
    return this.#tests.get(room)?.freesAt;
  }

  #scopesOf(room: RoomTag, { address, identity }: Applicant): Scope[] {
    const { household, site } = networksOf(address);
    const key = identity.isProven ? identity.clientId : undefined;
    const factor = this.#factor(address);
    return [
      { name: household, max: failuresPerAddress * factor },
      { name: site, max: failuresPerSite * factor },
      { name: key, max: failuresPerAddress * factor },
    ].flatMap(({ name, max }) =>
      name === undefined ? [] : [{ usage: this.#usageOf(this.#failures, `${room} ${name}`), max }],
    );
  }

  #factor(address: ClientAddress): number {
    return address.isPrivate ? this.#privateAddressFactor : 1;
  }

  #usageOf(usages: Map<string, Usage>, key: string): Usage {
    const usage = usages.get(key) ?? new Usage(windowMs, this.#clock);
    usages.set(key, usage);
    return usage;
  }

  /** Runs rarely: the mark doubles with what is left, so a flood of addresses costs constant time each. */
  #sweep(): void {
    if (this.#tests.size + this.#failures.size < this.#sweepAt) return;
    for (const usages of [this.#tests, this.#failures]) {
      for (const [key, usage] of usages) if (usage.inUse === 0) usages.delete(key);
    }
    this.#sweepAt = Math.max(sweepAt, 2 * (this.#tests.size + this.#failures.size));
  }
}
