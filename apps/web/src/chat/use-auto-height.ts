import { type RefObject, useEffect, useLayoutEffect } from "react";

const linesMax = 8;

/**
 * Lets a field grow with its text, or with the placeholder where nothing is written, to eight lines, also when the window gives it another width or another size of type.
 */
export function useAutoHeight(
  input: RefObject<HTMLTextAreaElement | null>,
  text: string,
  placeholder: string,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows what stands in the field
  useLayoutEffect(() => {
    if (input.current) setHeight(input.current);
  }, [input, text, placeholder]);
  useEffect(() => {
    const field = input.current;
    if (!field) return;
    let width = field.clientWidth;
    let frame = 0;
    const observer = new ResizeObserver(() => {
      if (field.clientWidth === width) return; // the height alone is our own doing
      width = field.clientWidth;
      cancelAnimationFrame(frame);
      // In the next frame: a size that is set while sizes are told is an error of the page.
      frame = requestAnimationFrame(() => setHeight(field));
    });
    observer.observe(field);
    return () => {
      observer.disconnect();
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
