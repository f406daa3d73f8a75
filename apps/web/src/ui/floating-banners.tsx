import { type ReactNode, useRef } from "react";
import { cx } from "./cx.ts";
import { useHeightProperty } from "./hooks/use-height-property.ts";

interface FloatingBannersProps {
  /** The property of the root element that says how tall they are, for banners below them. */
  readonly heightProperty?: string;
  readonly className: string;
  readonly children: ReactNode;
}

/**
 * Banners over the top of what they are about, which therefore stays where it is when one comes or goes. Flush with the head above,
 * so that what scrolls goes under them as it goes under the head.
 */
export function FloatingBanners({ heightProperty, className, children }: FloatingBannersProps) {
  const box = useRef<HTMLDivElement>(null);
  useHeightProperty(box, heightProperty);
  return (
    <div className="relative z-header h-0 shrink-0">
      <div
        ref={box}
        className={cx("absolute inset-x-0 *:border-line *:border-b *:px-[max(16px,50%-380px)]", className)}
      >
        {children}
      </div>
    </div>
  );
}
