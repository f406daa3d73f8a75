/** The entries of a statistics report that are of one of these types; a report holds a dozen others, told apart cheaply. */
export function entriesOf(report: RTCStatsReport, types: ReadonlySet<string>): unknown[] {
  const entries: unknown[] = [];
  report.forEach((entry: unknown) => {
    if (typeof entry === "object" && entry !== null && "type" in entry && types.has(String(entry.type)))
      entries.push(entry);
  });
  return entries;
}
