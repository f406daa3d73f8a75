import { type Auth, DatabaseRules, type Stored, segmentsOf, valueAt } from "./database-rules.ts";

/** A value as a client sends it: JSON, with `null` for nothing and `{ ".sv": "timestamp" }` for the time of the write. */
export type Sent = unknown;

/** A tree of JSON behind security rules. */
export class RulesDatabase {
  readonly #rules: DatabaseRules;
  #root: Stored | undefined;
  #lastMs = 0;
  /** How far its clock is ahead of this machine's. */
  aheadMs = 0;

  constructor(rules: string) {
    this.#rules = new DatabaseRules(rules);
  }

  /** Milliseconds; two writes never happen in the same one. */
  #tick(): number {
    this.#lastMs = Math.max(this.#lastMs + 1, this.now());
    return this.#lastMs;
  }

  now(): number {
    return Date.now() + this.aheadMs;
  }

  /** What is stored, whatever the rules say. */
  peek(path = ""): Stored | null {
    return valueAt(this.#root, segmentsOf(path)) ?? null;
  }

  /** Stores a value, whatever the rules say. */
  seed(path: string, value: Sent): void {
    this.#root = withValue(this.#root, segmentsOf(path), resolved(value, this.#tick()));
  }

  mayRead(auth: Auth, path: string): boolean {
    return this.#rules.mayRead(segmentsOf(path), { auth, before: this.#root, now: this.now() });
  }

  /** Writes all of some paths or none. @returns whether the rules allow it. */
  write(auth: Auth, changes: Readonly<Record<string, Sent>>): boolean {
    const after = this.#after(auth, changes);
    if (after === null) return false;
    this.#root = after.root;
    return true;
  }

  /** Whether {@link write} would be allowed now. */
  wouldWrite(auth: Auth, changes: Readonly<Record<string, Sent>>): boolean {
    return this.#after(auth, changes) !== null;
  }

  #after(auth: Auth, changes: Readonly<Record<string, Sent>>): { root: Stored | undefined } | null {
    const now = this.#tick();
    let after = this.#root;
    const entries = Object.entries(changes).map(([path, value]) => [segmentsOf(path), value] as const);
    for (const [path, value] of entries) after = withValue(after, path, resolved(value, now));
    const paths = entries.map(([path]) => path);
    const isAllowed = this.#rules.mayWrite(paths, { auth, before: this.#root, after, now });
    return isAllowed ? { root: after } : null;
  }
}

function resolved(value: Sent, now: number): Stored | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "object") return value as Stored;
  if (".sv" in value) return now;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const stored = resolved(inner, now);
    return stored === undefined ? [] : [[key, stored] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The tree with a value in one place; folders without anything in them do not exist. */
function withValue(
  root: Stored | undefined,
  [segment, ...rest]: readonly string[],
  value: Stored | undefined,
): Stored | undefined {
  if (segment === undefined) return value;
  const folder = typeof root === "object" ? { ...root } : {};
  const inner = withValue(folder[segment], rest, value);
  if (inner === undefined) delete folder[segment];
  else folder[segment] = inner;
  return Object.keys(folder).length === 0 ? undefined : folder;
}
