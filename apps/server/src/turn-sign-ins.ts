import { createHmac, randomBytes } from "node:crypto";
import type { TurnSignIn } from "@warren/protocol";
import type { Clock } from "./clock.ts";
import type { ClientAddress } from "./limits/client-address.ts";

const lifetimeS = 3_600;
/** A client in a room receives the next one after half of that time. */
export const turnRenewalMs = (lifetimeS * 1000) / 2;

/** The operator's TURN relays, with the secret of coturn's `use-auth-secret`. */
export interface TurnSettings {
  readonly urls: readonly string[];
  readonly secret: string;
}

/**
 * Issues TURN credentials for members of rooms, valid for an hour by the clocks of this machine and the relay, not of
 * pages.
 */
export class TurnSignIns {
  readonly #settings: TurnSettings;
  readonly #clock: Clock;
  readonly #mayHave: (address: ClientAddress) => boolean;

  /** @param mayHave asked for each; counts it */
  constructor(settings: TurnSettings, clock: Clock, mayHave: (address: ClientAddress) => boolean) {
    this.#settings = settings;
    this.#clock = clock;
    this.#mayHave = mayHave;
  }

  /** @returns undefined without relays, or if the address has received too many. */
  issue(address: ClientAddress): TurnSignIn | undefined {
    const { urls, secret } = this.#settings;
    if (urls.length === 0 || !this.#mayHave(address)) return undefined;
    // A random name for each, so that the relay's user quota applies per client and its log identifies nobody.
    const username = `${Math.floor(this.#clock.now() / 1000) + lifetimeS}:${randomBytes(8).toString("hex")}`;
    const credential = createHmac("sha1", secret).update(username).digest("base64");
    return { urls: [...urls], username, credential, lifetimeS };
  }
}
