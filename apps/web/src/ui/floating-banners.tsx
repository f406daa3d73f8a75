import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "./cx.ts";

interface FloatingBannersProps {
  /** The property of the root element that says how much room they take, for banners below them. */
  readonly roomProperty?: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** Banners over the top of what they are about, which therefore stays where it is when one comes or goes. */
export function FloatingBanners({ roomProperty, className, children }: FloatingBannersProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null || roomProperty === undefined) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty(roomProperty, `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(roomProperty);
    };
  }, [roomProperty]);
  return (
    <div className="relative z-header h-0 shrink-0">
      <div
        ref={box}
        className={cx(
          "pointer-events-none absolute inset-x-0 mx-auto max-w-[664px] px-3 *:pointer-events-auto *:mb-2 *:rounded-menu *:shadow-menu",
          className,
        )}
      >
        {children}
      </div>
    </div>
  );
}
