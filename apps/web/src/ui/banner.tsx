import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import type { Icon } from "./icons.ts";

const tones = {
  accent: { ground: "bg-accent-soft", icon: "text-accent-text" },
  warn: { ground: "bg-warn-soft", icon: "text-warn" },
  danger: { ground: "bg-danger-soft", icon: "text-danger" },
};

interface BannerProps {
  readonly tone: keyof typeof tones;
  readonly icon: Icon;
  /** At most one action: a Button of size "sm". */
  readonly action?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * One sentence above a view for a persistent state, with at most one action. A red one interrupts screen
 * readers.
 */
export function Banner({ tone, icon: Glyph, action, className, children }: BannerProps) {
  return (
    <div
      role={tone === "danger" ? "alert" : "status"}
      className={cx(
        "flex min-h-10 items-center gap-2.5 px-4 py-1.5 text-compact text-text",
        tones[tone].ground,
        className,
      )}
    >
      <Glyph size={16} className={tones[tone].icon} />
      <p className="min-w-0 flex-1 py-1">{children}</p>
      {action}
    </div>
  );
}
