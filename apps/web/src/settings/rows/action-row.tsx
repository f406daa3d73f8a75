import type { ReactNode } from "react";
import { cx } from "../../ui/cx.ts";
import { rowClass } from "./setting-row.tsx";

interface ActionRowProps {
  readonly title?: string;
  /** What the button does. */
  readonly line: string;
  readonly className?: string;
  /** The button. */
  readonly children: ReactNode;
}

/** Something to do at once, instead of something to set. */
export function ActionRow({ title, line, className, children }: ActionRowProps) {
  return (
    <div
      className={cx(
        rowClass,
        "flex items-center justify-between gap-x-6 gap-y-2 max-md:flex-col max-md:items-stretch",
        className,
      )}
    >
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="font-medium">{title}</p>}
        <p className="text-pretty text-compact text-text-2">{line}</p>
      </div>
      {children}
    </div>
  );
}
