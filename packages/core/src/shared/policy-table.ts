/** Of one event, the rule in each state. */
export type Row<State extends string, Rule> = Readonly<Record<State, Rule>>;

/** What the tables of state machines are written with, for machines with these states. */
export function rowsOf<State extends string, Rule extends object>(states: readonly State[]) {
  return {
    /** Rules for the named states, and one for all others. */
    row: (others: Rule, exceptions: Partial<Record<State, Rule>> = {}): Row<State, Rule> =>
      Object.fromEntries(states.map((state) => [state, exceptions[state] ?? others])) as Row<State, Rule>,
    /** The same rule for several states. */
    each: (some: readonly State[], rule: Rule) =>
      Object.fromEntries(some.map((state) => [state, rule])) as Partial<Record<State, Rule>>,
  };
}
