/** The part of Vitest that the contracts use, for running in a page. */
type Work = () => unknown;
interface Suite {
  readonly name: string;
  readonly before: Work[];
  readonly after: Work[];
}

/** The result of a test. */
export interface TestResult {
  readonly name: string;
  /** The failure; null if it passed. */
  readonly failure: string | null;
}

const tests: { readonly name: string; readonly suite: Suite; readonly work: Work }[] = [];
let suite: Suite = { name: "", before: [], after: [] };

export function describe(name: string, define: () => void): void {
  const outer = suite;
  suite = { name: `${outer.name}${name} `, before: [...outer.before], after: [...outer.after] };
  define();
  suite = outer;
}

export function it(name: string, work: Work): void {
  tests.push({ name: suite.name + name, suite, work });
}

export function beforeEach(work: Work): void {
  suite.before.push(work);
}

export function afterEach(work: Work): void {
  suite.after.push(work);
}

const timeoutMs = 45_000;

/** Rejects after a time limit, so that the result names a test that hangs. */
async function inTime(work: Work): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`took longer than ${timeoutMs / 1_000} s`)), timeoutMs);
  });
  await Promise.race([work(), late]);
}

/** Runs the registered tests in sequence. */
export async function run(): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const { name, suite: own, work } of tests) {
    let failure: string | null = null;
    try {
      for (const before of own.before) await inTime(before);
      await inTime(work);
    } catch (thrown) {
      failure = String(thrown);
    }
    for (const after of own.after) await inTime(after).catch(() => {});
    results.push({ name, failure });
  }
  return results;
}

export function expect(actual: unknown) {
  return {
    ...matchersOf(actual),
    not: { toContain: (item: unknown) => check(!listOf(actual).includes(item), actual, item) },
    rejects: {
      async toMatchObject(expected: Readonly<Record<string, unknown>>): Promise<void> {
        const thrown: unknown = await Promise.resolve(actual).then(
          () => null,
          (reason: unknown) => reason,
        );
        const entries = new Map(Object.entries(thrown ?? {}));
        for (const [name, value] of Object.entries(expected))
          check(entries.get(name) === value, thrown, expected);
      },
    },
  };
}

function matchersOf(actual: unknown) {
  return {
    toBe: (expected: unknown) => check(Object.is(actual, expected), actual, expected),
    toBeNull: () => check(actual === null, actual, null),
    toEqual: (expected: unknown) => check(textOf(actual) === textOf(expected), actual, expected),
  };
}

function check(holds: boolean, actual: unknown, expected: unknown): void {
  if (!holds) throw new Error(`got ${textOf(actual)}, expected ${textOf(expected)}`);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Equal texts mean equal values, for the values that the contracts compare. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) => {
    if (item instanceof Map) return { map: [...item] };
    if (item instanceof Uint8Array) return { bytes: [...item] };
    return item;
  });
}
