import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/** A round count of 18 px. `label` says it in words, for instance "3 unread messages". */
export function Badge({
  count,
  label,
  className,
}: {
  readonly count: number;
  readonly label: string;
  readonly className?: string;
}) {
  return (
    <span
      className={cx(
        "inline-flex h-[18px] min-w-[18px] shrink-0 items-center justify-center rounded-full bg-accent px-[5px] text-micro font-semibold text-on-accent",
        className,
      )}
    >
      <span aria-hidden="true">{count > 999 ? "999+" : count}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}

const tagTones = {
  accent: "bg-accent-soft text-accent-text",
  plain: "bg-sunken text-text-2",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
};

/** One or two words on a tint, for a state; not a control. */
export function Tag({
  tone = "plain",
  children,
}: {
  readonly tone?: keyof typeof tagTones;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={cx(
        "inline-flex h-5 shrink-0 items-center gap-1 whitespace-nowrap rounded-tag px-[7px] text-meta font-medium forced-colors:border",
        tagTones[tone],
      )}
    >
      {children}
    </span>
  );
}
