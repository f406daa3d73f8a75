import type { ReactNode } from "react";
import { Link } from "wouter";
import { cx } from "./cx.ts";
import { BackIcon } from "./icons.ts";

const tones = {
  plain: "rounded-control text-text-2 hover:bg-hover",
  "on-picture": "rounded-full bg-over-picture text-white",
};

interface BackLinkProps {
  readonly to: string;
  /** Its accessible name. */
  readonly label: string;
  readonly tone?: keyof typeof tones;
  readonly className?: string;
  /** Beside the arrow, such as a badge. */
  readonly children?: ReactNode;
}

/** Leads to the page above this one. */
export function BackLink({ to, label, tone = "plain", className, children }: BackLinkProps) {
  return (
    <Link
      to={to}
      className={cx("relative flex size-11 shrink-0 items-center justify-center", tones[tone], className)}
    >
      <BackIcon size={22} />
      <span className="sr-only">{label}</span>
      {children}
    </Link>
  );
}
