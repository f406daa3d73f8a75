import { createHmac, randomBytes } from "node:crypto";
import type { TurnSignIn } from "@warren/protocol";
import type { Clock } from "./clock.ts";
import type { ClientAddress } from "./limits/client-address.ts";

const lifetimeS = 3_600;
/** A client in a room gets the next one when half of that is over. */
export const turnRenewalMs = (lifetimeS * 1000) / 2;

/** The relays of whoever runs the server, as coturn's `use-auth-secret` guards them. */
export interface TurnSettings {
  readonly urls: readonly string[];
  readonly secret: string;
}

/** Makes sign-ins of one hour for members of rooms. They hang on this machine's clock and the relay's, and on no page's. */
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

  /** @returns undefined without relays, and for an address that has had too many. */
  issue(address: ClientAddress): TurnSignIn | undefined {
    const { urls, secret } = this.#settings;
    if (urls.length === 0 || !this.#mayHave(address)) return undefined;
    // A name of its own for each, so that a relay's quota for a user counts one client, and its log tells nobody who.
    const username = `${Math.floor(this.#clock.now() / 1000) + lifetimeS}:${randomBytes(8).toString("hex")}`;
    const credential = createHmac("sha1", secret).update(username).digest("base64");
    return { urls: [...urls], username, credential, lifetimeS };
  }
}
