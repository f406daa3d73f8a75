import {
  type ChatState,
  everyone,
  type FileMessage,
  type Transfer,
  type TransferState,
  transferKeyOf,
} from "@warren/core";
import type { ClientId } from "@warren/protocol";

/** Files that were offered no further apart than this belong together. */
const togetherMs = 30_000;

type Conversations = ChatState["conversations"];
type Way = "send" | "receive";

interface Bytes {
  readonly totalBytes: number;
  readonly transferredBytes: number;
}

/** The transfers that move now. */
export function movingOf(transfers: TransferState): readonly Transfer[] {
  return Object.values(transfers).filter(({ state }) => state.status === "transferring");
}

/**
 * How far the files are that move between one client and us in one direction, 0 to 1; null when none does. What was
 * offered together with them counts too, whether it waits for its turn or has come: without it, each that begins would
 * throw the share back.
 */
export function shareWith(
  peerId: ClientId,
  way: Way,
  transfers: TransferState,
  conversations: Conversations,
): number | null {
  return shareOf(underWay(peerId, way, transfers, conversations));
}

/** As {@link shareWith}, over everyone and both directions. */
export function shareOfAll(transfers: TransferState, conversations: Conversations): number | null {
  const ways = new Map(
    movingOf(transfers).map(({ peerId, mode }) => [`${mode} ${peerId}`, { peerId, mode }]),
  );
  return shareOf(
    [...ways.values()].flatMap(({ peerId, mode }) => underWay(peerId, mode, transfers, conversations)),
  );
}

function shareOf(files: readonly Bytes[]): number | null {
  if (files.length === 0) return null;
  const totalBytes = files.reduce((sum, file) => sum + file.totalBytes, 0);
  const doneBytes = files.reduce((sum, file) => sum + file.transferredBytes, 0);
  return totalBytes === 0 ? 0 : doneBytes / totalBytes;
}

function underWay(
  peerId: ClientId,
  way: Way,
  transfers: TransferState,
  conversations: Conversations,
): readonly Bytes[] {
  const moving = movingOf(transfers).filter((one) => one.peerId === peerId && one.mode === way);
  if (moving.length === 0) return [];
  const keys = new Set(moving.map(({ key }) => key));
  const keyOf = ({ file }: FileMessage) => transferKeyOf(peerId, file.fid);
  const mates = batches(offersOf(peerId, way, conversations))
    .filter((batch) => batch.some((message) => keys.has(keyOf(message))))
    .flat();
  // The same file may have been offered twice.
  const others = new Map(mates.map((message) => [keyOf(message), message]));
  return [
    ...moving,
    ...[...others].flatMap(([key, message]) => {
      if (keys.has(key)) return [];
      const state = transfers[key]?.state ?? message.transfers[peerId];
      const has = transfers[key] ?? { totalBytes: message.file.fileSize, transferredBytes: 0 };
      if (state?.status === "complete") return key in transfers ? [has] : [];
      // A file of mine stands as an offer until its receiver says that it was accepted, which may be a moment away.
      const begins = state?.status === "init" && (way === "send" || key in transfers);
      return begins || (state?.status === "paused" && state.by === "turn") ? [has] : [];
    }),
  ];
}

/** The files offered to or by a client, the earliest first. */
function offersOf(peerId: ClientId, way: Way, conversations: Conversations): readonly FileMessage[] {
  return [conversations[peerId], conversations[everyone]]
    .flatMap((conversation) => conversation?.messages ?? [])
    .filter((message) => message.type === "file")
    .filter(
      ({ client, transfers }) =>
        transfers[peerId] !== undefined && (client === peerId) === (way === "receive"),
    )
    .sort((a, b) => a.sortedAt - b.sortedAt);
}

function batches(offers: readonly FileMessage[]): readonly (readonly FileMessage[])[] {
  const all: FileMessage[][] = [];
  for (const offer of offers) {
    const last = all.at(-1);
    const before = last?.at(-1);
    if (last && before && offer.sortedAt - before.sortedAt <= togetherMs) last.push(offer);
    else all.push([offer]);
  }
  return all;
}
