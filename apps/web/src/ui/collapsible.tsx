import { type ReactNode, useEffect, useId, useState } from "react";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import { ChevronRightIcon } from "./icons.ts";

interface CollapsibleProps {
  readonly title: string;
  /** Why it stands open; each new value other than undefined opens it. */
  readonly opensFor?: unknown;
  readonly className?: string;
  readonly children: ReactNode;
}

/** What few people need, behind a button. */
export function Collapsible({ title, opensFor, className, children }: CollapsibleProps) {
  const contentId = useId();
  const [isOpen, setOpen] = useState(opensFor !== undefined);
  useEffect(() => {
    if (opensFor !== undefined) setOpen(true);
  }, [opensFor]);
  return (
    <section className={className}>
      <Button
        size="sm"
        variant="ghost"
        aria-expanded={isOpen}
        aria-controls={contentId}
        className="-ml-2.5 touch:-ml-3"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRightIcon size={14} className={cx("transition-transform", isOpen && "rotate-90")} />
        {title}
      </Button>
      <div id={contentId} hidden={!isOpen} className="mt-2">
        {isOpen && children}
      </div>
    </section>
  );
}
