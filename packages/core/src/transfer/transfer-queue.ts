import type { ClientId } from "@warren/protocol";
import { heldTogetherBytes } from "./held-bytes.ts";
import type { Transfer } from "./transfer.ts";
import type { TransferMode } from "./transfer-state.ts";

/** The properties of a transfer that the queue reads. */
export type QueueEntry = Pick<Transfer, "peerId" | "mode" | "needBytes" | "phase" | "isSilent">;

/** The needed bytes allowed for open transfers in one direction: per client and in total. */
interface QueueLimits {
  readonly withPeerBytes: number;
  readonly togetherBytes: number;
}

const queueLimits: Readonly<Record<TransferMode, QueueLimits>> = {
  send: { withPeerBytes: heldTogetherBytes, togetherBytes: Number.POSITIVE_INFINITY },
  receive: { withPeerBytes: heldTogetherBytes, togetherBytes: heldTogetherBytes },
};

/** The transfers with one client in one direction. */
interface Line<T> {
  first: T | null;
  openCount: number;
  openBytes: number;
  /** The need of the open transfers that are not silent. */
  movingBytes: number;
}

/**
 * The next transfer to open; null if none may open now. A transfer waits for earlier ones with its client, for memory,
 * and, if held back, for a channel. Each client has at least one open transfer and a fair quota of the total; the
 * client with the least open is next. A silent transfer counts against its own client only.
 * @param transfers all transfers, in order of arrival.
 */
export function nextToOpen<T extends QueueEntry>(transfers: Iterable<T>, limits = queueLimits): T | null {
  const lines = { send: new Map<ClientId, Line<T>>(), receive: new Map<ClientId, Line<T>>() };
  for (const transfer of transfers) {
    const { peerId, mode, phase, needBytes } = transfer;
    if (phase.name === "closing" || phase.name === "ended") continue;
    let line = lines[mode].get(peerId);
    if (!line) {
      line = { first: null, openCount: 0, openBytes: 0, movingBytes: 0 };
      lines[mode].set(peerId, line);
    }
    if (phase.name === "queued") line.first ??= transfer;
    else {
      line.openCount++;
      line.openBytes += needBytes;
      if (!transfer.isSilent) line.movingBytes += needBytes;
    }
  }
  let next: Line<T> | null = null;
  for (const mode of ["send", "receive"] as const) {
    for (const line of lines[mode].values()) {
      if (!line.first || (next && line.openBytes >= next.openBytes)) continue;
      if (hasRoom(line, line.first, lines[mode], limits[mode])) next = line;
    }
  }
  return next?.first ?? null;
}

function hasRoom<T extends QueueEntry>(
  line: Line<T>,
  { phase, needBytes }: T,
  lines: ReadonlyMap<ClientId, Line<T>>,
  { withPeerBytes, togetherBytes }: QueueLimits,
): boolean {
  if (phase.name === "queued" && phase.isHeldBack) return false;
  if (line.openCount === 0) return true;
  const neededBytes = line.openBytes + needBytes;
  if (neededBytes > withPeerBytes) return false;
  const moving = [...lines.values()].filter(({ movingBytes }) => movingBytes > 0);
  const movingBytes = moving.reduce((sum, other) => sum + other.movingBytes, 0);
  const clientCount = new Set([line, ...moving]).size;
  return movingBytes + needBytes <= togetherBytes || neededBytes <= togetherBytes / clientCount;
}
