import type { ReactNode } from "react";

/** The name of a key or a chord. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className="inline-flex h-[18px] items-center rounded-kbd border border-line-2 px-1.5 font-sans text-micro text-text-3">
      {children}
    </kbd>
  );
}
