import { readOptions, type Servers } from "@warren/core";

/** The TURN servers in a text, or why there are none. */
type ParsedTurnServers = { readonly turns: Servers["turns"] } | { readonly problem: "json" | "method" };

/** Parses one TURN server or a list of them as JSON; an unusable one invalidates the list. */
export function parseTurnServers(text: string): ParsedTurnServers {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return { problem: "json" };
  }
  const listed: unknown[] = [given].flat();
  if (!listed.every((entry) => typeof entry === "object" && entry !== null)) return { problem: "json" };
  const entries = listed.map((entry) => ({ authMethod: "longterm", ...entry }));
  const { options, dropped } = readOptions({ servers: { stuns: [], turns: entries } });
  if (dropped.some(({ reason }) => reason === "invalid-turn-method")) return { problem: "method" };
  const turns = options.servers?.turns ?? [];
  return dropped.length > 0 || turns.length === 0 ? { problem: "json" } : { turns };
}
