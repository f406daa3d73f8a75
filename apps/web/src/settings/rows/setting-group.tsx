import type { ReactNode } from "react";

interface SettingGroupProps {
  /** None for the group that the section itself is about. */
  readonly title?: string;
  readonly line?: string;
  readonly children: ReactNode;
}

/** Settings that belong together, on one card under their heading. */
export function SettingGroup({ title, line, children }: SettingGroupProps) {
  return (
    <section aria-label={title} className="mt-7">
      {title !== undefined && <h2 className="text-heading-sm">{title}</h2>}
      {line !== undefined && <p className="text-compact text-text-2">{line}</p>}
      <div className="rounded-card border border-line-2 bg-raised px-4 not-first:mt-2.5">{children}</div>
    </section>
  );
}
