import type { RoomTag } from "@warren/protocol";
import type { Clock } from "../clock.ts";
import type { ClientAddress } from "./client-address.ts";
import { Usage } from "./usage.ts";

const windowMs = 600_000;
/** Failed admissions to one room from one address. */
const failuresPerAddress = 5;
/** Runs of the handshake that went as far as to test a password, for one room. */
const testsPerRoom = 30;
/** Counts that are at zero again are forgotten when this many are held. */
const sweepAt = 10_000;

/** One newcomer with one greeter, counted as if it would fail until it ends otherwise. */
export interface Attempt {
  /** A password is about to be tested; false when the room has had its fill of that. */
  test(): boolean;
  /** `abandoned`: for want of a greeter; it still counts as failed once a password could be tested. */
  end(outcome: "admitted" | "failed" | "abandoned"): void;
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

  /** Whether this address has failed too often at this room. */
  isBarred(room: RoomTag, address: ClientAddress): boolean {
    const spent = this.#failures.get(failureKey(room, address))?.spent ?? 0;
    return spent >= failuresPerAddress * this.#factor(address);
  }

  /** @returns undefined while other attempts, of this address or at this room, may still use up what is left. */
  reserve(room: RoomTag, address: ClientAddress): Attempt | undefined {
    this.#sweep();
    const factor = this.#factor(address);
    const maxTests = testsPerRoom * factor;
    const tests = this.#usageOf(this.#tests, room);
    const failures = this.#usageOf(this.#failures, failureKey(room, address));
    if (tests.inUse >= maxTests || failures.inUse >= failuresPerAddress * factor) return undefined;
    tests.reserve();
    failures.reserve();
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
        failures.release();
        if (outcome === "admitted") for (const at of tested) tests.refund(at);
        else if (outcome === "failed" || tested.length > 0) failures.spend();
      },
    };
  }

  /** When a test of this room will no longer count, in ms since the epoch. */
  freesAt(room: RoomTag): number | undefined {
    return this.#tests.get(room)?.freesAt;
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

function failureKey(room: RoomTag, { key }: ClientAddress): string {
  return `${room} ${key}`;
}
