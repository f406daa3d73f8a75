/** Upper bounds of the histogram of join times, in s. */
const joinBoundsS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/** A histogram of join times: `counts` has the joins within each bound of `boundsS`, `count` all of them. */
export interface JoinTimes {
  readonly boundsS: readonly number[];
  readonly counts: readonly number[];
  readonly count: number;
  readonly sumS: number;
}

/** Counts events, so that an operator can see them without a log line for each. */
export class Counters {
  readonly #totals = new Map<string, number>();
  #reported = new Map<string, number>();
  readonly #joins = { boundsS: joinBoundsS, counts: joinBoundsS.map(() => 0), count: 0, sumS: 0 };

  add(name: string): void {
    this.#totals.set(name, (this.#totals.get(name) ?? 0) + 1);
  }

  /** Counts a client that joined a room `tookMs` after its socket opened. */
  addJoin(tookMs: number): void {
    const tookS = tookMs / 1000;
    this.#joins.count += 1;
    this.#joins.sumS += tookS;
    for (const [index, boundS] of joinBoundsS.entries())
      if (tookS <= boundS) this.#joins.counts[index] = (this.#joins.counts[index] ?? 0) + 1;
  }

  /** The counts since the last call. */
  take(): Readonly<Record<string, number>> {
    const counts = [...this.#totals].map(
      ([name, count]) => [name, count - (this.#reported.get(name) ?? 0)] as const,
    );
    this.#reported = new Map(this.#totals);
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  /** The counts since the start. */
  get totals(): ReadonlyMap<string, number> {
    return this.#totals;
  }

  get joins(): JoinTimes {
    return this.#joins;
  }
}
