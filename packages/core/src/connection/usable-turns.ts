import type { Servers, TurnServer } from "../settings/options.ts";

/** The TURN servers that can provide a relay, each address once. */
export function usableTurns(servers: Servers): TurnServer[] {
  const byUrl = new Map<string, TurnServer>();
  for (const server of servers.turns) {
    const url = server.url.trim();
    if (url !== "" && server.username.trim() !== "" && !byUrl.has(url)) byUrl.set(url, { ...server, url });
  }
  return [...byUrl.values()];
}
