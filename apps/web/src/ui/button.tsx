import { type ComponentProps, type MouseEvent, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";
import type { Icon } from "./icons.ts";
import { Tooltip } from "./overlays/tooltip.tsx";
import { Spinner } from "./spinner.tsx";

const variants = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover border-transparent",
  secondary: "bg-raised text-text hover:bg-hover border-line-2",
  ghost: "text-text-2 hover:bg-hover hover:text-text border-transparent",
  "accent-text": "text-accent-text hover:bg-accent-soft border-transparent",
  "danger-text": "text-danger hover:bg-danger-soft border-transparent",
  "danger-secondary": "bg-raised text-danger hover:bg-hover border-line-2",
  danger: "bg-danger text-on-danger hover:bg-danger-hover border-transparent",
  /** In a list of actions. */
  row: "w-full text-text hover:bg-hover border-transparent",
};

const disabledVariant = "bg-sunken text-text-3 border-transparent cursor-default";

/**
 * Heights: 28 px in cards, 32 px elsewhere, 44 px on arrival; on a phone or touch screen all are 44 px. A tile has its word below the
 * icon. The border takes 1 px of each side. While loading, the padding shrinks by the spinner's width, so the button's width is
 * constant.
 */
const sizes = {
  sm: {
    box: "h-7 touch:h-11 rounded-control text-compact",
    padding: "px-[9px] touch:px-[11px]",
    loadingPadding: "px-px touch:px-[3px]",
    gap: "gap-1.5",
    iconPx: 15,
  },
  md: {
    box: "h-8 touch:h-11 rounded-control text-body",
    padding: "px-[11px] touch:px-[15px]",
    loadingPadding: "px-[3px] touch:px-[7px]",
    gap: "gap-2",
    iconPx: 16,
  },
  lg: {
    box: "h-11 rounded-row text-body-lg",
    padding: "px-[19px]",
    loadingPadding: "px-[11px]",
    gap: "gap-2",
    iconPx: 18,
  },
  tile: {
    box: "h-14 flex-col rounded-row text-meta aria-pressed:border-transparent aria-pressed:bg-accent-soft aria-pressed:text-accent-text",
    padding: "px-1",
    loadingPadding: "px-1",
    gap: "gap-1",
    iconPx: 18,
  },
};

export interface ButtonProps extends Omit<ComponentProps<"button">, "disabled"> {
  readonly variant?: keyof typeof variants;
  readonly size?: keyof typeof sizes;
  readonly icon?: Icon;
  /** Replaces the icon with a spinner, keeps the width and ignores clicks. */
  readonly loading?: boolean;
  /** Replaces the ring while loading. */
  readonly loadingMark?: ReactNode;
}

/** A button with a text label. One primary per view; `danger` only in the dialog that confirms. */
export function Button(props: ButtonProps) {
  return <ButtonElement {...props} disabledReason={undefined} />;
}

export interface GuardedButtonProps extends ButtonProps {
  /** Disables the button and explains why; undefined while it is enabled. */
  readonly disabledReason: string | undefined;
}

/**
 * A {@link Button} that is disabled at times, and then explains why in a tooltip. It stays the same element, and focusable, so that
 * it keeps the focus and everyone can reach the reason. A kind of its own, because a tooltip is twelve components, rendered twice.
 */
export function GuardedButton(props: GuardedButtonProps) {
  return (
    <Tooltip text={props.disabledReason}>
      <ButtonElement {...props} />
    </Tooltip>
  );
}

function ButtonElement({
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
}: GuardedButtonProps) {
  const reasonId = useId();
  const isDisabled = disabledReason !== undefined;
  const isInert = isDisabled || loading;

  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (isInert) event.preventDefault();
    else onClick?.(event);
  };

  const { box, padding, loadingPadding, gap, iconPx } = sizes[size];
  const isSpinnerAdded = loading && Glyph === undefined;
  return (
    <button
      type={type}
      aria-disabled={isInert || undefined}
      aria-busy={loading || undefined}
      aria-describedby={isDisabled ? reasonId : undefined}
      onClick={press}
      className={cx(
        "relative inline-flex max-w-full shrink-0 select-none items-center whitespace-nowrap border font-medium transition-colors",
        "active:not-aria-disabled:shadow-[inset_0_0_0_999px_rgb(12_20_16/0.08)]",
        variant === "row" ? "justify-start" : "justify-center",
        isDisabled ? disabledVariant : variants[variant],
        box,
        isSpinnerAdded ? loadingPadding : padding,
        isSpinnerAdded ? "gap-1" : gap,
        className,
      )}
      {...rest}
    >
      {loading
        ? (loadingMark ?? <Spinner size={isSpinnerAdded ? 12 : iconPx} className="-mt-px" />)
        : Glyph !== undefined && <Glyph size={iconPx} />}
      {/* Long labels, for instance with a name, end in an ellipsis. */}
      {typeof children === "string" ? <span className="min-w-0 truncate">{children}</span> : children}
      {isDisabled && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </button>
  );
}
