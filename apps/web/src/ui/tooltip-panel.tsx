import { DismissableLayer, Popper, Presence } from "radix-ui/internal";
import * as Portal from "radix-ui/portal";
import { type ReactNode, type Ref, type RefObject, useEffect } from "react";

interface TooltipPanelProps {
  readonly id: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly side: "top" | "right" | "bottom" | "left";
  readonly open: boolean;
  readonly shortcut: string | undefined;
  readonly silent: boolean;
  /** The pointer has entered the tooltip. */
  readonly onStay: () => void;
  /** The pointer has left it. */
  readonly onLeave: () => void;
  /** Called on Escape, or when the control is scrolled. */
  readonly onDismiss: () => void;
  readonly children: ReactNode;
}

/** The tooltip beside its control. */
export function TooltipPanel({ open, anchor, ...rest }: TooltipPanelProps) {
  return (
    <Popper.Root>
      <Popper.Anchor virtualRef={anchor} />
      <Presence.Root present={open}>
        <Words open={open} anchor={anchor} {...rest} />
      </Presence.Root>
    </Popper.Root>
  );
}

function Words({
  id,
  anchor,
  side,
  open,
  shortcut,
  silent,
  onStay,
  onLeave,
  onDismiss,
  children,
  ref,
}: TooltipPanelProps & { readonly ref?: Ref<HTMLDivElement> }) {
  useDismissOnScroll(anchor, onDismiss);
  return (
    <Portal.Root>
      <DismissableLayer.Root
        asChild
        onFocusOutside={(event) => event.preventDefault()}
        onDismiss={onDismiss}
        onPointerEnter={onStay}
        onPointerLeave={onLeave}
      >
        <Popper.Content
          ref={ref}
          id={id}
          // A silent tooltip would have no accessible name, so it gets no role.
          role={silent ? undefined : "tooltip"}
          data-state={open ? "open" : "closed"}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-tooltip max-w-[260px] rounded-tag bg-text px-2 py-1 text-meta font-medium text-surface animate-fade-in data-[state=closed]:animate-fade-out"
        >
          <span aria-hidden={silent || undefined} className="flex items-center gap-2">
            {children}
            {shortcut !== undefined && <kbd className="font-sans text-meta opacity-70">{shortcut}</kbd>}
          </span>
        </Popper.Content>
      </DismissableLayer.Root>
    </Portal.Root>
  );
}

/** A tooltip does not follow a control that is scrolled. */
function useDismissOnScroll(anchor: TooltipPanelProps["anchor"], onDismiss: () => void): void {
  useEffect(() => {
    const listening = new AbortController();
    const onScroll = ({ target }: Event): void => {
      if (target instanceof Node && target.contains(anchor.current)) onDismiss();
    };
    window.addEventListener("scroll", onScroll, { capture: true, signal: listening.signal });
    return () => listening.abort();
  }, [anchor, onDismiss]);
}
