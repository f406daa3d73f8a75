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

/** Filters a list: one chip is selected, and each shows its count. On a phone they scroll sideways, in one line. */
export function FilterChips<T extends string>({ label, value, chips, onChange }: FilterChipsProps<T>) {
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-0.5 py-0.5 max-md:flex-nowrap max-md:overflow-x-auto max-md:overscroll-x-contain">
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
