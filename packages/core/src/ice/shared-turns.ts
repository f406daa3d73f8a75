import type { Servers, TurnServer } from "../settings/options.ts";
import { resolveTurn, type TurnContext } from "./turn-credentials.ts";

const sharedLifetimeSeconds = 3_600;

/** TURN servers that can be shared with others. */
export interface SharedTurns {
  /** With their own credentials, which expire after one hour. */
  readonly turns: Servers["turns"];
  /** Servers without available credentials. */
  readonly leftOut: Servers["turns"];
}

/**
 * Creates one-hour credentials for the TURN servers whose password is a master secret (`hmac`) or an API token
 * (`cloudflare`), which must not be shared. Plain long-term credentials are omitted: they cannot be narrowed.
 * Never fails.
 */
export async function sharedTurnsOf(
  servers: Servers["turns"],
  context: Omit<TurnContext, "lifetimeSeconds">,
): Promise<SharedTurns> {
  const secret = servers.filter(
    ({ authMethod, username }) => authMethod !== "longterm" && username.trim() !== "",
  );
  const made = await Promise.all(
    secret.map(async (server) => {
      const resolved = await resolveTurn(server, {
        ...context,
        lifetimeSeconds: sharedLifetimeSeconds,
      }).catch(() => []);
      return { server, turns: resolved.flatMap(signInsOf) };
    }),
  );
  return {
    turns: made.flatMap(({ turns }) => turns),
    leftOut: made.filter(({ turns }) => turns.length === 0).map(({ server }) => server),
  };
}

function signInsOf({ urls, username, credential }: RTCIceServer): TurnServer[] {
  if (username === undefined || credential === undefined) return [];
  return [urls]
    .flat()
    .filter((url) => /^turns?:/i.test(url))
    .map((url) => ({ authMethod: "longterm", url, username, password: credential }));
}
