import { type ErrorDescription, toWarrenError } from "@warren/protocol";
import type { Servers, TurnServer } from "../settings/options.ts";
import { resolveTurn, type TurnContext } from "./turn-credentials.ts";

/** A server that connections do without, and why. */
export interface LeftOutServer {
  readonly url: string;
  readonly error: ErrorDescription;
}

/** The servers of the settings in the browser's format, and those without credentials. */
export interface IceServers {
  readonly iceServers: RTCIceServer[];
  readonly leftOut: readonly LeftOutServer[];
}

/** Resolves every entry: skips blank ones, and uses equal STUN entries and TURN entries of one URL once. */
export async function iceServersOf(servers: Servers, context: TurnContext): Promise<IceServers> {
  const stuns = new Set(servers.stuns.map((url) => url.trim()).filter((url) => url !== ""));
  const resolved = await Promise.all(
    usableTurns(servers).map((server) =>
      resolveTurn(server, context).catch((thrown: unknown) => ({
        url: server.url,
        error: toWarrenError(thrown).describe(),
      })),
    ),
  );
  const leftOut: LeftOutServer[] = [];
  const turns: RTCIceServer[] = [];
  for (const result of resolved) {
    if (Array.isArray(result)) turns.push(...result);
    else leftOut.push(result);
  }
  return { iceServers: [...[...stuns].map((urls) => ({ urls })), ...turns], leftOut };
}

/**
 * The configuration of every connection. Relay-only applies as soon as a TURN server is configured, even if its
 * credentials are unavailable: no route at all is better than one that reveals our address.
 */
export function peerConfigurationOf(
  iceServers: RTCIceServer[],
  {
    servers,
    relayOnly,
    offered = [],
  }: {
    readonly servers: Servers;
    readonly relayOnly: boolean;
    readonly offered?: readonly RTCIceServer[];
  },
): RTCConfiguration {
  const relayed = relayOnly && (offered.length > 0 || usableTurns(servers).length > 0);
  return {
    iceServers: [...iceServers, ...offered],
    // The specification's 10 left one connection in twenty without candidates (docs/decisions/0007).
    iceCandidatePoolSize: 0,
    bundlePolicy: "max-bundle",
    iceTransportPolicy: relayed ? "relay" : "all",
  };
}

/** The TURN servers that can provide a relay, each address once. */
export function usableTurns(servers: Servers): TurnServer[] {
  const byUrl = new Map<string, TurnServer>();
  for (const server of servers.turns) {
    const url = server.url.trim();
    if (url !== "" && server.username.trim() !== "" && !byUrl.has(url)) byUrl.set(url, { ...server, url });
  }
  return [...byUrl.values()];
}
