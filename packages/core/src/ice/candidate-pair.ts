import { finiteNumber, unionBy, v } from "@warren/protocol";

const text = v.fallback(v.optional(v.string()), undefined);
const number = v.fallback(v.optional(finiteNumber), undefined);
const statsSchema = unionBy("type", [
  v.object({ type: v.literal("transport"), selectedCandidatePairId: text }),
  v.object({
    type: v.literal("candidate-pair"),
    id: v.string(),
    localCandidateId: v.string(),
    remoteCandidateId: v.string(),
    state: text,
    nominated: v.fallback(v.optional(v.boolean()), undefined),
    /** Firefox's flag of the pair in use. */
    selected: v.fallback(v.optional(v.boolean()), undefined),
    /** Seconds. */
    currentRoundTripTime: number,
    bytesSent: number,
    bytesReceived: number,
  }),
  v.object({
    type: v.picklist(["local-candidate", "remote-candidate"]),
    id: v.string(),
    candidateType: text,
    address: text,
    ip: text,
    url: text,
  }),
]);
const statsTypes = new Set(["transport", "candidate-pair", "local-candidate", "remote-candidate"]);
type Stats = v.InferOutput<typeof statsSchema>;
type CandidatePair = Extract<Stats, { type: "candidate-pair" }>;
/** One end of a pair. */
export type Candidate = Extract<Stats, { type: "local-candidate" | "remote-candidate" }>;

/** The pair of candidates in use and its two ends. */
export interface SelectedPair {
  readonly pair: CandidatePair;
  readonly local: Candidate | undefined;
  readonly remote: Candidate | undefined;
}

/** The pair a connection uses, from its statistics; null before there is one. */
export function selectedPairOf(report: RTCStatsReport): SelectedPair | null {
  const pairs: CandidatePair[] = [];
  const candidates = new Map<string, Candidate>();
  let selectedId: string | undefined;
  for (const entry of entriesOf(report, statsTypes)) {
    const parsed = v.safeParse(statsSchema, entry);
    if (!parsed.success) continue;
    const stats = parsed.output;
    if (stats.type === "transport") selectedId ??= stats.selectedCandidatePairId;
    else if (stats.type === "candidate-pair") pairs.push(stats);
    else candidates.set(stats.id, stats);
  }
  const pair =
    pairs.find(({ id }) => id === selectedId) ??
    pairs.find(({ selected }) => selected === true) ??
    pairs.find(({ nominated, state }) => nominated === true && state === "succeeded");
  if (pair === undefined) return null;
  return {
    pair,
    local: candidates.get(pair.localCandidateId),
    remote: candidates.get(pair.remoteCandidateId),
  };
}

/** The entries of the given types; cheap, since a report holds a dozen other types. */
export function entriesOf(report: RTCStatsReport, types: ReadonlySet<string>): unknown[] {
  const entries: unknown[] = [];
  report.forEach((entry: unknown) => {
    if (typeof entry === "object" && entry !== null && "type" in entry && types.has(String(entry.type)))
      entries.push(entry);
  });
  return entries;
}
