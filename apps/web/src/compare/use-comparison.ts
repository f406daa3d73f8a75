import { compareFiles, type FileMessage, matchesSearch, type SharedListing, unasked } from "@warren/core";
import type { ClientId, FileId } from "@warren/protocol";
import { useEffect, useMemo, useState } from "react";
import { askSize } from "../files/save/size-question.ts";
import { treeName } from "../files/tree/tree-name.ts";
import { useFreeBytes } from "../files/use-free-bytes.ts";
import { useMessagesAbout } from "../files/use-messages-about.ts";
import { useT } from "../i18n/use-t.ts";
import type { Person } from "../people/use-person.ts";
import { type Selection, useSelection } from "../ui/hooks/use-selection.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { withErrorToast } from "../wiring/with-error-toast.ts";
import {
  type ComparisonFilter,
  type ComparisonOrder,
  type ComparisonRow,
  comparisonRows,
  idOfRow,
  inOrder,
  isInFilter,
  isSelectable,
} from "./comparison-rows.ts";

/** The page's state and actions. */
export interface Comparison {
  readonly listing: SharedListing | undefined;
  /** Every file of both sides. */
  readonly rows: readonly ComparisonRow[];
  /** Those that pass the filter and the search, in order. */
  readonly shown: readonly ComparisonRow[];
  readonly selection: Selection<ComparisonRow>;
  readonly filter: ComparisonFilter;
  readonly order: ComparisonOrder;
  readonly query: string;
  /** Bytes this browser may still store; null if unknown. */
  readonly freeBytes: number | null;
  setFilter(filter: ComparisonFilter): void;
  setOrder(order: ComparisonOrder): void;
  setQuery(query: string): void;
  refresh(): void;
  /** Fetches their files and offers mine. */
  start(rows: readonly ComparisonRow[]): void;
  stop(row: ComparisonRow): void;
}

/** Compares my files with those a peer shares, while the page is open and the peer is present. */
export function useComparison({ id, isHere }: Person): Comparison {
  const t = useT();
  const { chat, files, settings, transfers } = useWarren();
  const listing = useStore(chat.listings, (state) => state.get(id));
  const library = useStore(files.store);
  const moving = useStore(transfers.store);
  const offers = useOffersWith(id);
  const [filter, setFilter] = useState<ComparisonFilter>("all");
  const [order, setOrder] = useState<ComparisonOrder>("missing");
  const [query, setQuery] = useState("");
  useEffect(() => {
    if (isHere) void chat.askShares(id);
  }, [chat, id, isHere]);

  const theirs = listing?.files;
  const comparisons = useMemo(() => compareFiles(theirs ?? [], [...library.values()]), [theirs, library]);
  useMessagesAbout(
    useMemo(() => [...(theirs ?? []).map(({ fid }) => fid), ...[...library.keys()]], [theirs, library]),
  );
  const rows = useMemo(
    () =>
      comparisonRows(comparisons, {
        peerId: id,
        live: { transfers: moving, here: new Set(isHere ? [id] : []) },
        listing: listing ?? unasked,
        offers,
      }),
    [comparisons, id, isHere, moving, listing, offers],
  );
  const shown = useMemo(
    () =>
      inOrder(
        rows.filter((row) => isInFilter(row, filter) && matchesSearch(treeName(row.file, t), query)),
        order,
        (file) => treeName(file, t),
      ),
    [rows, filter, query, order, t],
  );
  const selection = useSelection(
    useMemo(() => rows.filter(isSelectable), [rows]),
    idOfRow,
  );

  const sizesOf = (some: readonly ComparisonRow[]) => some.map(({ sizeBytes }) => sizeBytes);

  const fetch = async (some: readonly ComparisonRow[]): Promise<void> => {
    const options = await askSize(settings, "fetch", sizesOf(some));
    if (options === "cancelled") return;
    selection.remove(some);
    const wanted = some.flatMap(({ theirs: file }) => file ?? []);
    if (wanted.length > 0) await withErrorToast(() => chat.fetchShares(id, wanted, options));
  };

  const offer = async (some: readonly ComparisonRow[]): Promise<void> => {
    const options = await askSize(settings, "send", sizesOf(some));
    if (options === "cancelled") return;
    selection.remove(some);
    for (const { mine, file } of some) {
      const fid = mine?.description.fid;
      if (fid === undefined) continue;
      const send = () => chat.forwardFile(id, fid, options);
      await withErrorToast(send, t("toast.sendFailed", { file: treeName(file, t) }));
    }
  };

  return {
    listing,
    rows,
    shown,
    selection,
    filter,
    order,
    query,
    freeBytes: useFreeBytes(true),
    setFilter,
    setOrder,
    setQuery,
    refresh: () => void chat.askShares(id),
    start: (some) => {
      void fetch(some.filter(({ action }) => action === "fetch"));
      void offer(some.filter(({ action }) => action === "send"));
    },
    stop: ({ theirs: file, mine, progress }) => {
      const isMine =
        progress?.kind === "offered" || (progress !== null && "mode" in progress && progress.mode === "send");
      const fid = (isMine ? mine?.description : file)?.fid;
      if (fid !== undefined) void withErrorToast(() => chat.stopShare(id, fid));
    },
  };
}

/** The last offer of each file between one peer and me, in any conversation. */
function useOffersWith(id: ClientId): ReadonlyMap<FileId, FileMessage> {
  const conversations = useStore(useWarren().chat.store, (state) => state.conversations);
  return useMemo(() => {
    const offers = Object.values(conversations)
      .flatMap((conversation) => conversation?.messages ?? [])
      .filter((message) => message.type === "file")
      .filter(({ offers }) => offers[id] !== undefined)
      .sort((a, b) => a.sortedAt - b.sortedAt);
    return new Map(offers.map((offer) => [offer.file.fid, offer]));
  }, [conversations, id]);
}
