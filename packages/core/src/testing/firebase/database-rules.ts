/** What a database stores: JSON without `null`, and folders as objects. */
export type Stored = string | number | boolean | { readonly [key: string]: Stored };

type Path = readonly string[];

/** One level of a file of rules: expressions under `.read`, `.write` and `.validate`, and deeper levels. */
interface RuleLevel {
  readonly [key: string]: string | boolean | RuleLevel;
}

/** The account that asks, as rules see it. */
export type Auth = { readonly uid: string } | null;

/** The state of the database before and after a write, when it happens and by whom. */
interface Question {
  readonly auth: Auth;
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
  readonly now: number;
}

/** Splits the path of a database reference. */
export const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

/** What is stored at a path, if anything. */
export function valueAt(root: Stored | undefined, path: Path): Stored | undefined {
  let value = root;
  for (const segment of path) {
    if (typeof value !== "object" || !Object.hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

/** A `RuleDataSnapshot`: a place in the database as the expressions of rules see it. */
class RuleSnapshot {
  readonly #root: Stored | undefined;
  readonly #path: Path;

  constructor(root: Stored | undefined, path: Path) {
    this.#root = root;
    this.#path = path;
  }

  get #value(): Stored | undefined {
    return valueAt(this.#root, this.#path);
  }

  /** As in the database, a folder has no value of its own that could be compared. */
  val(): unknown {
    return this.#value ?? null;
  }

  exists(): boolean {
    return this.#value !== undefined;
  }

  child(path: unknown): RuleSnapshot {
    if (typeof path !== "string") throw new TypeError("child() takes a path");
    return new RuleSnapshot(this.#root, [...this.#path, ...segmentsOf(path)]);
  }

  parent(): RuleSnapshot {
    if (this.#path.length === 0) throw new TypeError("the root has no parent");
    return new RuleSnapshot(this.#root, this.#path.slice(0, -1));
  }

  hasChild(key: string): boolean {
    return this.child(key).exists();
  }

  hasChildren(keys: readonly string[]): boolean {
    return keys.every((key) => this.hasChild(key));
  }

  isString(): boolean {
    return typeof this.#value === "string";
  }

  isNumber(): boolean {
    return typeof this.#value === "number";
  }
}

type Expression = (
  auth: Auth,
  now: number,
  data: RuleSnapshot,
  newData: RuleSnapshot,
  ...keys: string[]
) => unknown;

/**
 * The security rules of a Realtime Database, as far as deploy/firebase/database.rules.json uses the language: its expressions
 * are expressions of JavaScript too, with `matches` on strings. One that fails, such as a method on nothing, denies. Unlike
 * here, the database's `<` fails on what is no number: a rule has to ask before it compares.
 */
export class DatabaseRules {
  readonly #root: RuleLevel;
  readonly #compiled = new Map<string, Expression>();

  /** @param source a file of rules, JSON with `//` comments. */
  constructor(source: string) {
    const { rules } = JSON.parse(source.replaceAll(/^\s*\/\/.*$/gm, "")) as { rules: RuleLevel };
    this.#root = rules;
  }

  /** Whether an account may read a path: a rule on the way there has to say so. */
  mayRead(path: Path, { auth, before, now }: Omit<Question, "after">): boolean {
    const question = { auth, before, after: before, now };
    return this.#levelsTo(path).some(({ level, at, keys }) =>
      this.#holds(level[".read"], at, keys, question),
    );
  }

  /**
   * Whether an account may write all of some paths at once. A rule on the way to each has to say so, and no rule about what is
   * there afterwards, from the root to the last leaf that was written, may object.
   */
  mayWrite(paths: readonly Path[], question: Question): boolean {
    return paths.every((path) => {
      const levels = this.#levelsTo(path);
      return (
        levels.some(({ level, at, keys }) => this.#holds(level[".write"], at, keys, question)) &&
        this.#validates(path, question)
      );
    });
  }

  #validates(path: Path, question: Question): boolean {
    const value = valueAt(question.after, path);
    if (value === undefined) return true;
    const passes = this.#levelsTo(path).every(
      ({ level, at, keys }) =>
        level[".validate"] === undefined || this.#holds(level[".validate"], at, keys, question),
    );
    const deeper = typeof value === "object" ? Object.keys(value) : [];
    return passes && deeper.every((key) => this.#validates([...path, key], question));
  }

  /** The levels of the rules from the root to a path, with what their `$` names stand for. */
  #levelsTo(path: Path) {
    const levels: { level: RuleLevel; at: Path; keys: ReadonlyMap<string, string> }[] = [];
    let level: RuleLevel = this.#root;
    let keys: ReadonlyMap<string, string> = new Map();
    for (let depth = 0; ; depth += 1) {
      levels.push({ level, at: path.slice(0, depth), keys });
      const segment = path[depth];
      if (segment === undefined) return levels;
      const name = Object.hasOwn(level, segment)
        ? segment
        : Object.keys(level).find((key) => key.startsWith("$"));
      const next = name === undefined ? undefined : level[name];
      if (name === undefined || typeof next !== "object") return levels;
      if (name.startsWith("$")) keys = new Map([...keys, [name, segment]]);
      level = next;
    }
  }

  #holds(
    rule: RuleLevel[string] | undefined,
    at: Path,
    keys: ReadonlyMap<string, string>,
    { auth, before, after, now }: Question,
  ): boolean {
    if (typeof rule !== "string") return rule === true;
    const names = [...keys.keys()];
    const id = `${names.join()}:${rule}`;
    const expression =
      this.#compiled.get(id) ??
      (new Function("auth", "now", "data", "newData", ...names, `return ${rule};`) as Expression);
    this.#compiled.set(id, expression);
    try {
      const [data, newData] = [new RuleSnapshot(before, at), new RuleSnapshot(after, at)];
      return withMatches(() => expression(auth, now, data, newData, ...keys.values())) === true;
    } catch {
      return false;
    }
  }
}

/** Runs an expression in which strings have the method `matches` of the rules' language. */
function withMatches<T>(run: () => T): T {
  const prototype = String.prototype as { matches?: (pattern: RegExp) => boolean };
  prototype.matches = function matches(this: string, pattern) {
    return pattern.test(this);
  };
  try {
    return run();
  } finally {
    delete prototype.matches;
  }
}
