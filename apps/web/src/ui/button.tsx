import { type ComponentProps, type MouseEvent, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";
import type { Icon } from "./icons.ts";
import { Tooltip } from "./overlays/tooltip.tsx";
import { Spinner } from "./spinner.tsx";

type ButtonVariant = "primary" | "secondary" | "ghost" | "accent-text" | "danger-text" | "danger";
/** Heights: 28 px in cards, 32 px elsewhere, 44 px on arrival. On a phone or touch screen all are 44 px. */
type ButtonSize = "sm" | "md" | "lg";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover border-transparent",
  secondary: "bg-raised text-text hover:bg-hover border-line-2",
  ghost: "text-text-2 hover:bg-hover hover:text-text border-transparent",
  "accent-text": "text-accent-text hover:bg-accent-soft border-transparent",
  "danger-text": "text-danger hover:bg-danger-soft border-transparent",
  danger: "bg-danger text-on-danger hover:bg-danger-hover border-transparent",
};

const disabledVariant = "bg-sunken text-text-3 border-transparent cursor-default";

const sizes: Record<ButtonSize, string> = {
  sm: "h-7 touch:h-11 rounded-control text-compact",
  md: "h-8 touch:h-11 rounded-control text-body",
  lg: "h-11 rounded-row text-body-lg",
};

// The border takes 1 px of each side. While loading, the padding shrinks by the spinner's width, so the
// button's width is constant.
const paddings: Record<ButtonSize, { rest: string; loading: string }> = {
  sm: { rest: "px-[9px] touch:px-[11px]", loading: "px-px touch:px-[3px]" },
  md: { rest: "px-[11px] touch:px-[15px]", loading: "px-[3px] touch:px-[7px]" },
  lg: { rest: "px-[19px]", loading: "px-[11px]" },
};

export interface ButtonProps extends Omit<ComponentProps<"button">, "disabled"> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly icon?: Icon;
  /** Replaces the icon with a spinner, keeps the width and ignores clicks. */
  readonly loading?: boolean;
  /** Replaces the ring while loading. */
  readonly loadingMark?: ReactNode;
  /**
   * Disables the button and explains why. It stays focusable, so that everyone can reach the reason. One that is only sometimes
   * disabled has undefined meanwhile, so that it stays the same element and keeps the focus.
   */
  readonly disabledReason?: string | undefined;
}

/** A button with a text label. One primary per view; `danger` only in the dialog that confirms. */
export function Button(props: ButtonProps) {
  const {
    variant = "secondary",
    size = "md",
    icon: Glyph,
    loading = false,
    loadingMark,
    disabledReason,
    className,
    children,
    type = "button",
    onClick,
    ...rest
  } = props;
  const reasonId = useId();
  const disabled = disabledReason !== undefined;
  const inert = disabled || loading;

  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (inert) event.preventDefault();
    else onClick?.(event);
  };

  const padding = loading && Glyph === undefined ? paddings[size].loading : paddings[size].rest;
  const iconSize = size === "sm" ? 15 : size === "md" ? 16 : 18;
  const button = (
    <button
      type={type}
      aria-disabled={inert || undefined}
      aria-busy={loading || undefined}
      aria-describedby={disabled ? reasonId : undefined}
      onClick={press}
      className={cx(
        "relative inline-flex max-w-full shrink-0 select-none items-center justify-center whitespace-nowrap border font-medium transition-colors",
        "active:not-aria-disabled:shadow-[inset_0_0_0_999px_rgb(12_20_16/0.08)]",
        disabled ? disabledVariant : variants[variant],
        sizes[size],
        padding,
        loading && Glyph === undefined ? "gap-1" : size === "sm" ? "gap-1.5" : "gap-2",
        className,
      )}
      {...rest}
    >
      {loading
        ? (loadingMark ?? <Spinner size={Glyph === undefined ? 12 : iconSize} className="-mt-px" />)
        : Glyph !== undefined && <Glyph size={iconSize} />}
      {/* Long labels, for instance with a name, end in an ellipsis. */}
      {typeof children === "string" ? <span className="min-w-0 truncate">{children}</span> : children}
      {disabled && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </button>
  );
  // A tooltip is twelve components, rendered twice: only for buttons that may need one.
  return "disabledReason" in props ? <Tooltip text={disabledReason}>{button}</Tooltip> : button;
}
