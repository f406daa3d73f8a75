import { z } from "@warren/protocol";
import { entriesOf } from "./stats-entries.ts";

const text = z.catch(z.optional(z.string()), undefined);
const number = z.catch(z.optional(z.number()), undefined);
const statsSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("transport"), selectedCandidatePairId: text }),
  z.object({
    type: z.literal("candidate-pair"),
    id: z.string(),
    localCandidateId: z.string(),
    remoteCandidateId: z.string(),
    state: text,
    nominated: z.catch(z.optional(z.boolean()), undefined),
    /** Firefox's flag for the pair in use. */
    selected: z.catch(z.optional(z.boolean()), undefined),
    /** Seconds. */
    currentRoundTripTime: number,
    bytesSent: number,
    bytesReceived: number,
  }),
  z.object({
    type: z.enum(["local-candidate", "remote-candidate"]),
    id: z.string(),
    candidateType: text,
    address: text,
    ip: text,
    url: text,
  }),
]);
const statsTypes = new Set(["transport", "candidate-pair", "local-candidate", "remote-candidate"]);
type Stats = z.infer<typeof statsSchema>;
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
    const parsed = statsSchema.safeParse(entry);
    if (!parsed.success) continue;
    const stats = parsed.data;
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
