import type { ComponentProps } from "react";
import { cx } from "../cx.ts";
import { ChevronRightIcon } from "../icons.ts";
import { FieldBox } from "./text-field.tsx";

interface SelectProps<T extends string> extends Omit<ComponentProps<"select">, "onChange" | "value"> {
  readonly value: T;
  /** `lang` is the language of a label, if it differs from the page's. */
  readonly options: readonly { readonly value: T; readonly label: string; readonly lang?: string }[];
  readonly onChange: (value: T) => void;
}

/** A choice from a possibly long list: the native list under a styled field. */
export function Select<T extends string>({
  value,
  options,
  onChange,
  className = "w-full",
  ...rest
}: SelectProps<T>) {
  return (
    <FieldBox className={cx("relative", className)}>
      <select
        value={value}
        onChange={(event) => {
          const chosen = options[event.target.selectedIndex];
          if (chosen) onChange(chosen.value);
        }}
        className="h-full w-full min-w-0 cursor-pointer appearance-none truncate rounded-control bg-transparent pr-8 pl-3 outline-none pointer-coarse:text-[16px] [&>option]:bg-raised [&>option]:text-text"
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronRightIcon size={16} className="pointer-events-none absolute right-2.5 rotate-90 text-text-2" />
    </FieldBox>
  );
}
