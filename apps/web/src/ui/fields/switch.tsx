import type { ComponentProps } from "react";
import { cx } from "../cx.ts";

interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "role" | "onChange"> {
  readonly checked: boolean;
  /** Cannot be changed, for the reason given by `aria-describedby`; stays in the tab order. */
  readonly isFixed?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/**
 * An on/off switch of 36×20. Put it in a `<label>` that spans the row, so that the whole row is the click
 * target.
 */
export function Switch({ checked, isFixed = false, onChange, className, ...rest }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      aria-checked={checked}
      aria-disabled={isFixed || undefined}
      checked={checked}
      onChange={(event) => !isFixed && onChange(event.target.checked)}
      className={cx(
        "switch inline-flex h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full bg-control p-0.5 transition-colors checked:bg-accent disabled:cursor-default disabled:opacity-50 aria-disabled:cursor-default aria-disabled:opacity-50",
        className,
      )}
      {...rest}
    />
  );
}
