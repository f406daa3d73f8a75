import type { ChatMessage, MessageKey } from "@warren/core";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Messages drawn at first, and added each time the reader comes near the top. */
const pageLength = 100;
/** With more than this drawn, earlier ones are dropped again when the reader is back at the end. */
const drawnMax = 3 * pageLength;
/** How near the top the reader is when earlier messages are added, in px. */
const nearTopPx = 1_200;
/** How far from the end still counts as there, in px. */
const atEndPx = 48;

interface LogScroll {
  /** The element that scrolls, and what it holds. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** The index of the first message to draw. */
  readonly start: number;
  readonly isAtEnd: boolean;
  /** Messages that arrived below while the reader was elsewhere. */
  readonly newBelow: number;
  onScroll(): void;
  toEnd(): void;
}

/**
 * Keeps a log at its end while the reader is there, and in its place otherwise; draws a part of a long one. Whoever
 * replaces the part by virtual rows replaces `start`.
 */
export function useLogScroll(messages: readonly ChatMessage[], selfId: string): LogScroll {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  /** A drawn row and where it stood before earlier ones were added. */
  const anchor = useRef<{ readonly row: Element; readonly top: number }>(null);
  const [start, setStart] = useState(() => Math.max(0, messages.length - pageLength));
  const [isAtEnd, setAtEnd] = useState(true);
  const [seenUntil, setSeenUntil] = useState(0);
  const last = messages.at(-1);

  const scrollToEnd = (): void => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };

  const toEnd = (): void => {
    follows.current = true;
    setStart(Math.max(0, messages.length - pageLength));
    setAtEnd(true);
    scrollToEnd();
  };

  useLayoutEffect(() => {
    const [frame, inner] = [box.current, content.current];
    if (!frame || !inner) return;
    const observer = new ResizeObserver(() => {
      if (follows.current) frame.scrollTop = frame.scrollHeight;
    });
    observer.observe(frame);
    observer.observe(inner);
    frame.scrollTop = frame.scrollHeight;
    return () => observer.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the rows from `start` on have been drawn
  useLayoutEffect(() => {
    const held = anchor.current;
    anchor.current = null;
    if (follows.current) scrollToEnd();
    else if (held && box.current) box.current.scrollTop += held.row.getBoundingClientRect().top - held.top;
  }, [start]);

  const lastKey = useRef<MessageKey | undefined>(last?.key);
  // Saying something is a reason to be at the end.
  useEffect(() => {
    if (last === undefined || last.key === lastKey.current) return;
    lastKey.current = last.key;
    if (last.client !== selfId || follows.current) return;
    follows.current = true;
    setAtEnd(true);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [last, selfId]);

  const onScroll = (): void => {
    const frame = box.current;
    if (!frame) return;
    const nowAtEnd = frame.scrollHeight - frame.scrollTop - frame.clientHeight <= atEndPx;
    if (nowAtEnd !== isAtEnd) {
      setAtEnd(nowAtEnd);
      if (!nowAtEnd) setSeenUntil(last?.sortedAt ?? 0);
    }
    follows.current = nowAtEnd;
    if (nowAtEnd && messages.length - start > drawnMax) setStart(messages.length - pageLength);
    if (!nowAtEnd && frame.scrollTop < nearTopPx && start > 0) {
      const row = content.current?.querySelector("article");
      if (row) anchor.current = { row, top: row.getBoundingClientRect().top };
      setStart(Math.max(0, start - pageLength));
    }
  };

  const newBelow = isAtEnd
    ? 0
    : messages.length - 1 - messages.findLastIndex((message) => message.sortedAt <= seenUntil);
  return {
    box,
    content,
    start: Math.min(start, Math.max(0, messages.length - 1)),
    isAtEnd,
    newBelow,
    onScroll,
    toEnd,
  };
}
