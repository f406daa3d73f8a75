import { type RefObject, useEffect, useLayoutEffect } from "react";
import { observeSize } from "../../ui/observe-size.ts";

const linesMax = 8;

/**
 * Grows a field with its text (or placeholder) to at most eight lines, also when the window's width or font
 * size changes.
 */
export function useAutoHeight(
  input: RefObject<HTMLTextAreaElement | null>,
  text: string,
  placeholder: string,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the field's content
  useLayoutEffect(() => {
    if (input.current) setHeight(input.current);
  }, [input, text, placeholder]);
  useEffect(() => {
    const field = input.current;
    if (!field) return;
    let width = field.clientWidth;
    let frame = 0;
    const stop = observeSize(field, () => {
      if (field.clientWidth === width) return; // the height alone is our own doing
      width = field.clientWidth;
      cancelAnimationFrame(frame);
      // In the next frame: setting a size inside a ResizeObserver callback is reported as a page error.
      frame = requestAnimationFrame(() => setHeight(field));
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [input]);
}

function setHeight(field: HTMLTextAreaElement): void {
  const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(field);
  const heightMax =
    linesMax * Number.parseFloat(lineHeight) +
    Number.parseFloat(paddingTop) +
    Number.parseFloat(paddingBottom);
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, heightMax)}px`;
  field.style.overflowY = field.scrollHeight > heightMax ? "auto" : "hidden";
}
