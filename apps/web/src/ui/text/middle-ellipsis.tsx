import { useLayoutEffect, useRef, useState } from "react";
import { cx } from "../cx.ts";
import { observeSize } from "../observe-size.ts";
import { cutMiddle, ellipsis } from "./cut-middle.ts";
import { Highlighted } from "./highlighted.tsx";

function measure(box: HTMLElement, ruler: HTMLElement, text: string, uncut: number): string {
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
    uncut,
  );
}

interface MiddleEllipsisProps {
  readonly text: string;
  /** How many characters follow the file name, and are kept. */
  readonly uncut?: number;
  readonly className?: string;
}

/**
 * A file name on one line, shortened in its middle to the available width: "interview_A-ca…aded.mov". Measured, because CSS cuts only
 * at the end: a box for the start beside one for the tail would be read out, copied and found with a space between them.
 */
export function MiddleEllipsis({ text, uncut = 0, className }: MiddleEllipsisProps) {
  const box = useRef<HTMLSpanElement>(null);
  const ruler = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState(text);

  useLayoutEffect(() => {
    if (box.current === null || ruler.current === null) return;
    const [boxElement, rulerElement] = [box.current, ruler.current];
    const update = (): void => setShown(measure(boxElement, rulerElement, text, uncut));
    update();
    // The ruler grows or shrinks when the font arrives.
    const stops = [boxElement, rulerElement].map((element) => observeSize(element, update));
    return () => {
      for (const stop of stops) stop();
    };
  }, [text, uncut]);

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
      <span aria-hidden={cut || undefined}>
        <Highlighted text={shown} />
      </span>
      {cut && <span className="sr-only">{text}</span>}
    </span>
  );
}
