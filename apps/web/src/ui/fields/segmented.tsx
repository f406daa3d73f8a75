import { useId } from "react";
import { cx } from "../cx.ts";

interface SegmentedProps<T extends string> {
  /** Accessible name of the group. */
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
  readonly className?: string;
}

/** A choice of two to four words, as radio buttons side by side. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cx("inline-flex rounded-control bg-sunken p-0.5", className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            "segment relative flex h-7 flex-1 cursor-pointer items-center justify-center whitespace-nowrap rounded-tag px-3 text-compact font-medium transition-colors touch:h-10",
            "has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-focus",
            option.value === value
              ? "bg-raised text-text shadow-[0_0_0_1px_var(--edge)]"
              : "text-text-2 hover:text-text",
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
