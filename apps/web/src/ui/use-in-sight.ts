import { type RefObject, useEffect, useState } from "react";

/** Whether an element is, or has ever been, in or near the viewport. */
export function useInSight(element: RefObject<Element | null>): boolean {
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    if (isInSight || element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => setInSight(entries.some((entry) => entry.isIntersecting)),
      { rootMargin: "25%" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isInSight, element]);
  return isInSight;
}
