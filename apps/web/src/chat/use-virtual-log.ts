import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import type { ChatMessage } from "@warren/core";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { GapRow } from "./use-loaded-messages.ts";

/** Conversations up to this long are drawn whole, so that the browser's own search finds everything in them. */
const drawnWholeMax = 150;
/** Rows drawn above and below those in sight. */
const overscan = 20;
/** How many screens from what is read a gap is loaded. */
const nearGapScreens = 2;
/** How far from the end still counts as there, in px. */
const atEndPx = 48;
/** Space above the first and below the last message, in px. */
const paddingPx = { start: 16, end: 12 };

/** A guess at a row's height in px, until it is drawn and measured. */
function estimatedHeight(message: ChatMessage | undefined): number {
  if (message === undefined) return 0;
  if (message.type === "file") return 92;
  return 48 + 21 * Math.min(40, Math.floor(message.data.length / 70));
}

interface VirtualLog {
  /** The element that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** The rows to draw, by index, with the place of each in px. */
  readonly rows: readonly VirtualItem[];
  /** The height of all messages, drawn or not, in px. */
  readonly heightPx: number;
  readonly isAtEnd: boolean;
  /** Messages that arrived below while the reader was elsewhere. */
  readonly newBelow: number;
  /** The ref of each row; it carries its index as `data-index`. */
  measureRow(element: HTMLElement | null): void;
  onScroll(): void;
  toEnd(): void;
  /** Brings a message into sight, in the middle unless it is there. */
  toMessage(index: number, align: "nearest" | "center"): void;
}

interface VirtualLogInput {
  readonly messages: readonly ChatMessage[];
  readonly selfId: string;
  /** The message to begin at when it stands above the end. */
  readonly firstNewIndex: number;
  /** Rows that are drawn wherever the reader is: it has the focus or Tab goes there, and what a search stands at. */
  readonly keptIndex: number;
  readonly foundIndex: number | null;
  readonly gaps: readonly GapRow[];
  /** The place next to which a gap is to be loaded, since it is near; told again with each scrolling and change of the messages. */
  readonly onNearGap: (place: number) => void;
}

/**
 * Draws of a log what is in sight and a little more, however long it is. It stays at its end while the reader is
 * there, and otherwise keeps what they read in its place, whatever is added, removed or grows above.
 */
export function useVirtualLog({
  messages,
  selfId,
  firstNewIndex,
  keptIndex,
  foundIndex,
  gaps,
  onNearGap,
}: VirtualLogInput): VirtualLog {
  const box = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const [seenUntil, setSeenUntil] = useState(0);
  const last = messages.at(-1);

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: messages.length,
    getScrollElement: () => box.current,
    getItemKey: useCallback((index: number) => messages[index]?.key ?? index, [messages]),
    estimateSize: (index) => estimatedHeight(messages[index]),
    rangeExtractor: useCallback(
      (range: Range) => drawnIndexes(range, [keptIndex, foundIndex ?? -1]),
      [keptIndex, foundIndex],
    ),
    // Beyond the end, so that the first rows drawn are the last ones.
    initialOffset: () => messages.reduce((sum, message) => sum + estimatedHeight(message), 0),
    overscan,
    paddingStart: paddingPx.start,
    paddingEnd: paddingPx.end,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: atEndPx,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: where a conversation begins, once
  useLayoutEffect(() => {
    if (firstNewIndex >= 0) virtualizer.scrollToIndex(firstNewIndex, { align: "start" });
    else virtualizer.scrollToEnd();
  }, []);

  const heightPx = virtualizer.getTotalSize();
  // Messages that leave room do not scroll, so nothing would tell the virtualizer that it stands at 0, and it would look
  // for its end in every frame for five seconds after each message.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as often as the height changes
  useLayoutEffect(() => {
    const frame = box.current;
    if (frame && frame.scrollHeight <= frame.clientHeight) frame.dispatchEvent(new Event("scroll"));
  }, [heightPx]);

  const wasAtEnd = useRef(true);
  wasAtEnd.current = isAtEnd;
  // A composer that grows takes its height from the log: the end stays in sight.
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(() => wasAtEnd.current && virtualizer.scrollToEnd());
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [virtualizer]);

  const toEnd = useCallback((): void => {
    setAtEnd(true);
    virtualizer.scrollToEnd();
  }, [virtualizer]);

  const lastKey = useRef(last?.key);
  // Saying something is a reason to be at the end.
  useEffect(() => {
    if (last === undefined || last.key === lastKey.current) return;
    lastKey.current = last.key;
    if (last.client === selfId) toEnd();
  }, [last, selfId, toEnd]);

  const watchGaps = useCallback((): void => {
    const frame = box.current;
    if (!frame) return;
    const reachPx = nearGapScreens * frame.clientHeight;
    for (const { index, from, before } of gaps) {
      const topPx = virtualizer.measurementsCache[index]?.start ?? virtualizer.getTotalSize();
      const belowReaderPx = topPx - frame.scrollTop;
      if (belowReaderPx < -reachPx || belowReaderPx > frame.clientHeight + reachPx) continue;
      const isBelow = index > 0 && belowReaderPx > frame.clientHeight / 2;
      onNearGap(isBelow ? from : before);
      return;
    }
  }, [gaps, onNearGap, virtualizer]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again after each page
  useEffect(watchGaps, [watchGaps, messages]);

  const onScroll = (): void => {
    const frame = box.current;
    if (!frame) return;
    watchGaps();
    const nowAtEnd = frame.scrollHeight - frame.scrollTop - frame.clientHeight <= atEndPx;
    if (nowAtEnd === isAtEnd) return;
    setAtEnd(nowAtEnd);
    if (!nowAtEnd) setSeenUntil(last?.sortedAt ?? 0);
  };

  return {
    box,
    rows: virtualizer.getVirtualItems(),
    heightPx,
    isAtEnd,
    newBelow: isAtEnd
      ? 0
      : messages.length - 1 - messages.findLastIndex((message) => message.sortedAt <= seenUntil),
    measureRow: virtualizer.measureElement,
    onScroll,
    toEnd,
    toMessage: (index, align) =>
      virtualizer.scrollToIndex(index, { align: align === "nearest" ? "auto" : align }),
  };
}

/** The rows to draw for those in sight: all of a short conversation, and always those that are kept. */
function drawnIndexes(range: Range, kept: readonly number[]): number[] {
  if (range.count <= drawnWholeMax) return Array.from({ length: range.count }, (_, index) => index);
  const inList = kept.filter((index) => index >= 0 && index < range.count);
  return [...new Set([...defaultRangeExtractor(range), ...inList])].sort((a, b) => a - b);
}
