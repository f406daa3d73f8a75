import { type ComponentProps, type MouseEvent, useId } from "react";
import { cx } from "./cx.ts";
import type { Icon } from "./icons.ts";
import { Tooltip } from "./overlays/tooltip.tsx";

/** Edge in px: 28 in cards, 32 elsewhere; 44 on a phone or under a finger. On a picture it stays small, and only its target grows. */
const sizes = { sm: "size-7 touch:size-11", md: "size-8 touch:size-11", "on-picture": "hit size-7" };

const tones = {
  plain:
    "rounded-control text-text-2 hover:bg-hover hover:text-text aria-pressed:bg-selected aria-pressed:text-text data-[state=open]:bg-hover",
  primary: "rounded-control bg-accent text-on-accent hover:bg-accent-hover",
  "on-picture": "rounded-full bg-over-picture text-white",
};

export interface IconButtonProps extends Omit<ComponentProps<"button">, "disabled" | "aria-label"> {
  readonly icon: Icon;
  /** The accessible name and the tooltip's text. */
  readonly label: string;
  /** The tooltip's text if it differs from the accessible name. */
  readonly hint?: string | undefined;
  readonly size?: keyof typeof sizes;
  readonly shortcut?: string | undefined;
  readonly tooltipSide?: "top" | "right" | "bottom" | "left";
  readonly tone?: keyof typeof tones;
  readonly iconSize?: number;
  /** Disables the button and explains why in the tooltip; it stays focusable. */
  readonly disabledReason?: string | undefined;
}

/** A button with only an icon: Pause, Cancel, Close, Back, More and header actions. */
export function IconButton({
  icon: Glyph,
  label,
  hint = label,
  size = "md",
  shortcut,
  tooltipSide = "bottom",
  tone = "plain",
  iconSize = 18,
  disabledReason,
  className,
  type = "button",
  onClick,
  ...rest
}: IconButtonProps) {
  const reasonId = useId();
  const disabled = disabledReason !== undefined;
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (disabled) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <Tooltip text={disabledReason ?? hint} keys={disabled ? undefined : shortcut} side={tooltipSide}>
      <button
        type={type}
        aria-label={label}
        aria-disabled={disabled || undefined}
        aria-describedby={disabled ? reasonId : undefined}
        onClick={press}
        className={cx(
          "inline-flex shrink-0 items-center justify-center transition-colors",
          "active:not-aria-disabled:shadow-[inset_0_0_0_999px_rgb(12_20_16/0.06)]",
          sizes[size],
          disabled ? "cursor-default rounded-control text-text-3" : tones[tone],
          className,
        )}
        {...rest}
      >
        <Glyph size={iconSize} />
        {disabled && (
          <span id={reasonId} hidden>
            {disabledReason}
          </span>
        )}
      </button>
    </Tooltip>
  );
}
