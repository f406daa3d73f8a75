import type { ReactNode } from "react";

/** The small heading of a section of the dialog. */
export function SectionLabel({ children }: { readonly children: ReactNode }) {
  return <h3 className="text-meta text-text-2">{children}</h3>;
}
