/** The entries of the given types; cheap, since a report holds a dozen other types. */
export function entriesOf(report: RTCStatsReport, types: ReadonlySet<string>): unknown[] {
  const entries: unknown[] = [];
  report.forEach((entry: unknown) => {
    if (typeof entry === "object" && entry !== null && "type" in entry && types.has(String(entry.type)))
      entries.push(entry);
  });
  return entries;
}
