import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import type { Icon } from "./icons.ts";

interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** The heading level of the title; `h1` if it is the page's own. */
  readonly heading?: "h1" | "h2";
  /** One line that names the next step. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly className?: string;
}

/** Placeholder for an empty view: a line icon, a title, one line, one button. */
export function EmptyState({
  icon: Glyph,
  title,
  heading: Heading = "h2",
  children,
  action,
  className,
}: EmptyStateProps) {
  return (
    <div className={cx("flex flex-col items-center px-6 text-center", className)}>
      <Glyph size={28} className="stroke-[1.5] text-text-2" />
      <Heading className="mt-2.5 max-w-full wrap-anywhere text-heading-sm">{title}</Heading>
      {children !== undefined && (
        <p className="mt-1 max-w-[min(20rem,100%)] wrap-anywhere text-balance text-body text-text-2">
          {children}
        </p>
      )}
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  );
}
