import type { ReactNode } from "react";
import { cx } from "./cx.ts";

const tones = { plain: "text-text-3", accent: "text-accent-text" };

/** A hairline, or a label between two: the day in a conversation, "3 new" in accent. */
export function Separator({
  tone = "plain",
  className,
  children,
}: {
  readonly tone?: keyof typeof tones;
  readonly className?: string;
  readonly children?: ReactNode;
}) {
  if (children === undefined) return <hr className={cx("border-line", className)} />;
  return (
    <div className={cx("flex items-center gap-3 text-meta", tones[tone], className)}>
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      {children}
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </div>
  );
}
