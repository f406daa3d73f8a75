import { graphemeStart } from "@warren/protocol";
import { useLayoutEffect, useRef, useState } from "react";
import { cx } from "./cx.ts";

const ellipsis = "…";

/** The start of the part of a file name that is never cut: its last four characters and the extension. */
function tailStart(name: string): number {
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= 9 ? name.length - dot : 0;
  return graphemeStart(name, Math.max(0, name.length - extension - 4));
}

/**
 * Shortens a text in its middle to a width, keeping its tail. `widthTo(n)` is the rendered width of its first
 * n characters, in the same unit as `available` and `ellipsisWidth`.
 */
export function cutMiddle(
  text: string,
  available: number,
  widthTo: (length: number) => number,
  ellipsisWidth: number,
): string {
  const whole = widthTo(text.length);
  if (whole <= available) return text;
  const tail = tailStart(text);
  const room = available - ellipsisWidth - (whole - widthTo(tail));
  let low = 0;
  let high = tail;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthTo(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, graphemeStart(text, low)).trimEnd() + ellipsis + text.slice(tail);
}

function measure(box: HTMLElement, ruler: HTMLElement, text: string): string {
  const node = ruler.firstChild;
  if (!(node instanceof Text)) return text;
  const range = document.createRange();
  const widthBetween = (start: number, end: number): number => {
    range.setStart(node, start);
    range.setEnd(node, end);
    return range.getBoundingClientRect().width;
  };
  // Layout rounds a box to 1/64 px; a text of exactly the box's width still fits.
  const available = box.getBoundingClientRect().width + 0.02;
  return cutMiddle(
    text,
    available,
    (length) => widthBetween(0, length),
    widthBetween(text.length, text.length + 1),
  );
}

/**
 * A file name on one line, shortened in its middle to the available width: "interview_A-ca…aded.mov". Measured, because CSS cuts only
 * at the end: a box for the start beside one for the tail would be read out, copied and found with a space between them.
 */
export function MiddleEllipsis({ text, className }: { readonly text: string; readonly className?: string }) {
  const box = useRef<HTMLSpanElement>(null);
  const ruler = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState(text);

  useLayoutEffect(() => {
    if (box.current === null || ruler.current === null) return;
    const [boxElement, rulerElement] = [box.current, ruler.current];
    const update = (): void => setShown(measure(boxElement, rulerElement, text));
    update();
    const observer = new ResizeObserver(update);
    observer.observe(boxElement);
    observer.observe(rulerElement); // grows or shrinks when the font arrives
    return () => observer.disconnect();
  }, [text]);

  const cut = shown !== text;
  return (
    <span
      ref={box}
      title={cut ? text : undefined}
      className={cx("relative block min-w-0 overflow-hidden whitespace-pre", className)}
    >
      {/* Affects the width, not the height: a box that shrinks to its content is sized by the full
          text instead of the already shortened one. */}
      <span ref={ruler} aria-hidden="true" className="invisible block h-0 w-max">
        {text + ellipsis}
      </span>
      <span aria-hidden={cut || undefined}>{shown}</span>
      {cut && <span className="sr-only">{text}</span>}
    </span>
  );
}
