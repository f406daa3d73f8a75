/** Where a key moves to from an index of a vertical list, perhaps past an end; null if it does not move. */
export function indexAfterKey(key: string, at: number, last: number): number | null {
  const moves: Readonly<Record<string, number>> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last };
  return moves[key] ?? null;
}
