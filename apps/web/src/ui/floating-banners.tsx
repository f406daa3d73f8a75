import { type ReactNode, useRef } from "react";
import { cx } from "./cx.ts";
import { useHeightProperty } from "./hooks/use-height-property.ts";

interface FloatingBannersProps {
  /** The property of the root element that says how tall they are, for banners below them. */
  readonly heightProperty?: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** Banners over the top of what they are about, which therefore stays where it is when one comes or goes. */
export function FloatingBanners({ heightProperty, className, children }: FloatingBannersProps) {
  const box = useRef<HTMLDivElement>(null);
  useHeightProperty(box, heightProperty);
  return (
    <div className="relative z-header h-0 shrink-0">
      <div
        ref={box}
        className={cx(
          "pointer-events-none absolute inset-x-0 mx-auto max-w-[792px] px-4 max-md:px-2 *:pointer-events-auto *:mb-2 *:rounded-menu *:shadow-menu",
          className,
        )}
      >
        {children}
      </div>
    </div>
  );
}
