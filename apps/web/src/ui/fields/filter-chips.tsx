import { type RefObject, useEffect, useRef, useState } from "react";
import { cx } from "../cx.ts";

interface FilterChip<T extends string> {
  readonly value: T;
  readonly label: string;
  /** The number of matching items. */
  readonly count: number;
}

interface FilterChipsProps<T extends string> {
  /** The filtered list, for screen readers. */
  readonly label: string;
  readonly value: T;
  readonly chips: readonly FilterChip<T>[];
  readonly onChange: (value: T) => void;
}

/** Filters a list: one chip is selected, and each shows its count. */
export function FilterChips<T extends string>({ label, value, chips, onChange }: FilterChipsProps<T>) {
  const row = useRef<HTMLFieldSetElement>(null);
  const { isMoreBefore, isMoreAfter } = useScrollEdges(row);
  return (
    <fieldset
      ref={row}
      className={cx(
        "flex min-w-0 gap-0.5 overflow-x-auto py-0.5",
        // Without a fade, a chip cut off at the edge would look complete.
        isMoreBefore && "mask-l-from-[calc(100%-40px)]",
        isMoreAfter && "mask-r-from-[calc(100%-40px)]",
      )}
    >
      <legend className="sr-only">{label}</legend>
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          aria-pressed={chip.value === value}
          className="group/chip flex h-7 shrink-0 items-center rounded-full outline-offset-[-2px] touch:h-11"
          onClick={() => onChange(chip.value)}
        >
          <span
            className={cx(
              "flex h-7 items-center gap-1.5 rounded-full px-2.5 font-medium text-compact transition-colors touch:h-8",
              chip.value === value
                ? "bg-selected text-text"
                : "text-text-2 group-hover/chip:bg-hover group-hover/chip:text-text",
            )}
          >
            {chip.label}
            <span className="font-normal text-text-2 tabular-nums">{chip.count}</span>
          </span>
        </button>
      ))}
    </fieldset>
  );
}

/** Whether a horizontally scrolling row has more content beyond its edges; follows scrolling and resizing. */
function useScrollEdges(row: RefObject<HTMLElement | null>) {
  const [isMoreBefore, setMoreBefore] = useState(false);
  const [isMoreAfter, setMoreAfter] = useState(false);
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const measure = (): void => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      // Scroll positions may be fractional.
      setMoreBefore(scrollLeft >= 1);
      setMoreAfter(scrollWidth - clientWidth - scrollLeft >= 1);
    };
    measure();
    const resizes = new ResizeObserver(measure);
    for (const sized of [element, ...element.children]) resizes.observe(sized);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      resizes.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [row]);
  return { isMoreBefore, isMoreAfter };
}
