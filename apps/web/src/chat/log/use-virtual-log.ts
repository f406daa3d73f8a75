import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import type { ChatMessage } from "@warren/core";
import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTab } from "../../tab/tab-context.ts";
import { observeSize } from "../../ui/observe-size.ts";
import type { GapRow } from "./use-loaded-messages.ts";

/**
 * Conversations up to this length are rendered in full, so that the browser's own search finds everything.
 */
const renderedWholeMax = 150;
/** Rows rendered above and below the visible ones. */
const overscan = 20;
/** Distance at which a gap is loaded, in screens. */
const nearGapScreens = 2;
/** Distance from the end that still counts as the end, in px. */
const atEndPx = 48;
/** Space above the first and below the last message, in px. */
const paddingPx = { start: 16, end: 12 };

/** The estimated height of a row in px, until it is rendered and measured. */
function estimatedHeight(message: ChatMessage | undefined): number {
  if (message === undefined) return 0;
  if (message.type === "file") return 92;
  if (message.type === "call") return 40;
  return 48 + 21 * Math.min(40, Math.floor(message.data.length / 70));
}

interface VirtualLog {
  /** The rows to render, by index, with their offsets in px. */
  readonly rows: readonly VirtualItem[];
  /** The height of all messages, rendered or not, in px. */
  readonly heightPx: number;
  readonly isAtEnd: boolean;
  /** Messages that arrived below while the reader was elsewhere. */
  readonly newBelow: number;
  /** The ref of each row; the row carries its index as `data-index`. */
  measureRow(element: HTMLElement | null): void;
  onScroll(): void;
  toEnd(): void;
  /** Scrolls a message into view; `center` centres it. */
  toMessage(index: number, align: "nearest" | "center"): void;
}

interface VirtualLogInput {
  /** The scrolling element. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** What stands above the first message in it. */
  readonly belowBanners: RefObject<HTMLDivElement | null>;
  readonly messages: readonly ChatMessage[];
  readonly selfId: string;
  /** The index of the first new message, where the log starts if that is above the end. */
  readonly firstNewIndex: number;
  /** A row that is always rendered: the focused one, the tab stop, or the current match. */
  readonly pinnedIndex: number;
  readonly foundIndex: number | null;
  readonly gaps: readonly GapRow[];
  /**
   * Called with the position of a nearby gap that should be loaded; repeated on each scroll and message
   * change.
   */
  readonly onNearGap: (sortedAt: number) => void;
}

/**
 * Renders the visible part of a log plus some overscan, however long it is. Stays at the end while the reader
 * is there; otherwise keeps the scroll position when rows above are added, removed or grow.
 */
export function useVirtualLog({
  box,
  belowBanners,
  messages,
  selfId,
  firstNewIndex,
  pinnedIndex,
  foundIndex,
  gaps,
  onNearGap,
}: VirtualLogInput): VirtualLog {
  const [isAtEnd, setAtEnd] = useState(true);
  const [seenUntil, setSeenUntil] = useState(0);
  const last = messages.at(-1);

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: messages.length,
    getScrollElement: () => box.current,
    getItemKey: useCallback((index: number) => messages[index]?.key ?? index, [messages]),
    estimateSize: (index) => estimatedHeight(messages[index]),
    rangeExtractor: (range) => renderedIndexes(range, [pinnedIndex, foundIndex ?? -1]),
    // Past the end, so that the first rendered rows are the last ones.
    initialOffset: () => messages.reduce((sum, message) => sum + estimatedHeight(message), 0),
    overscan,
    paddingStart: paddingPx.start,
    paddingEnd: paddingPx.end,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: atEndPx,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the initial scroll position, set once
  useLayoutEffect(() => {
    if (firstNewIndex >= 0) virtualizer.scrollToIndex(firstNewIndex, { align: "start" });
    else virtualizer.scrollToEnd();
  }, []);

  const heightPx = virtualizer.getTotalSize();
  // A log that fits into the window never scrolls, so the virtualizer would not learn that it is at 0, and
  // would look for its end in every frame for five seconds after each message.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the height changes
  useLayoutEffect(() => {
    const frame = box.current;
    if (frame && frame.scrollHeight <= frame.clientHeight) virtualizer.scrollOffset = 0;
  }, [heightPx]);

  const { openLog } = useTab();
  useLayoutEffect(() => openLog.opened(), [openLog]);

  const stayAtEnd = useEffectEvent(() => isAtEnd && virtualizer.scrollToEnd());
  // A growing composer shrinks the log: keep the end in view.
  useEffect(() => {
    if (!box.current) return;
    return observeSize(box.current, () => stayAtEnd());
  }, [box]);

  // What is being read stays where it is.
  useEffect(() => {
    const space = belowBanners.current;
    if (!space) return;
    let before = space.offsetHeight;
    return observeSize(space, () => {
      if (box.current) box.current.scrollTop += space.offsetHeight - before;
      before = space.offsetHeight;
    });
  }, [box, belowBanners]);

  const toEnd = (): void => {
    setAtEnd(true);
    virtualizer.scrollToEnd();
  };

  const lastKey = useRef(last?.key);
  const showSent = useEffectEvent(toEnd);
  // Sending a message scrolls to the end.
  useEffect(() => {
    if (last === undefined || last.key === lastKey.current) return;
    lastKey.current = last.key;
    if (last.client === selfId) showSent();
  }, [last, selfId]);

  const watchGaps = (): void => {
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
  };
  const watchAgain = useEffectEvent(watchGaps);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again after each page
  useEffect(() => watchAgain(), [gaps, messages]);

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

/** The indexes to render: all of a short conversation, and always the pinned ones. */
function renderedIndexes(range: Range, pinned: readonly number[]): number[] {
  if (range.count <= renderedWholeMax) return Array.from({ length: range.count }, (_, index) => index);
  const inList = pinned.filter((index) => index >= 0 && index < range.count);
  return [...new Set([...defaultRangeExtractor(range), ...inList])].sort((a, b) => a - b);
}
