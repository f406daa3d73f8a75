import { v } from "@warren/protocol";
import {
  isOptionName,
  type Option,
  type Options,
  optionTable,
  type Servers,
  stunUrlSchema,
  turnServerSchema,
} from "./options.ts";

/** An option, or part of one, that was invalid. */
export interface DroppedOption {
  /** The given name, known or unknown. */
  readonly name: string;
  readonly reason: "unknown-name" | "invalid" | "invalid-turn-method";
}

/** The result of reading options from outside. */
export interface ReadOptions {
  /** Every given option that is usable, completely or in part. */
  readonly options: Partial<Options>;
  readonly dropped: readonly DroppedOption[];
}

const turnMethods: ReadonlySet<unknown> = new Set(turnServerSchema.entries.authMethod.options);

/**
 * Reads options from storage or a file. Invalid values are left out; of a server list, only its invalid entries. Never
 * throws, for any input.
 */
export function readOptions(given: unknown): ReadOptions {
  const dropped: DroppedOption[] = [];
  const values = Object.entries(recordOf(given)).flatMap(([name, value]) => {
    const readable = name === "servers" ? readServers(value, dropped) : value;
    if (!isOptionName(name)) {
      dropped.push({ name, reason: "unknown-name" });
      return [];
    }
    const option: Option<unknown> = optionTable[name];
    const parsed = v.safeParse(option.schema, readable);
    if (parsed.success) return [[name, parsed.output] as const];
    dropped.push({ name, reason: "invalid" });
    return [];
  });
  return { options: Object.fromEntries(values) as Partial<Options>, dropped };
}

/**
 * The usable entries of a list of servers, without duplicates. Input that is not a list of servers is returned
 * unchanged.
 */
function readServers(given: unknown, dropped: DroppedOption[]): unknown {
  const { stuns, turns } = recordOf(given);
  if (!Array.isArray(stuns) || !Array.isArray(turns)) return given;
  const drop = (reason: DroppedOption["reason"]): [] => {
    dropped.push({ name: "servers", reason });
    return [];
  };
  const servers: Servers = {
    stuns: stuns.flatMap((entry: unknown) => {
      const parsed = v.safeParse(stunUrlSchema, entry);
      return parsed.success ? [parsed.output] : drop("invalid");
    }),
    turns: turns.flatMap((entry: unknown) => {
      const parsed = v.safeParse(turnServerSchema, entry);
      if (parsed.success) return [parsed.output];
      return drop(turnMethods.has(recordOf(entry).authMethod) ? "invalid" : "invalid-turn-method");
    }),
  };
  return {
    stuns: [...new Set(servers.stuns)],
    turns: [...new Map(servers.turns.map((turn) => [turn.url, turn])).values()],
  };
}

/** The fields of a record; none for anything else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
