import * as Slot from "radix-ui/slot";
import { type ReactElement, type ReactNode, useId, useRef, useState } from "react";
import { Loaded } from "./on-demand.tsx";
import { overlays, useOverlay } from "./overlays.ts";

interface PopoverProps {
  /** The button that opens it; must accept a ref and pointer events. */
  readonly trigger: ReactElement;
  /** Accessible name of the panel. */
  readonly label: string;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly align?: "start" | "center" | "end";
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly className?: string;
  readonly children: ReactNode;
}

/** A panel beside its button. */
export function Popover({
  trigger,
  label,
  open: controlled,
  onOpenChange,
  align = "end",
  side = "bottom",
  className,
  children,
}: PopoverProps) {
  const [ownOpen, setOwnOpen] = useState(false);
  const open = controlled ?? ownOpen;
  const setOpen = (next: boolean): void => {
    setOwnOpen(next);
    onOpenChange?.(next);
  };
  const { isWanted, want } = useOverlay(() => setOpen(false));
  const anchor = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  return (
    <>
      <Slot.Root
        ref={anchor}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        data-state={open ? "open" : "closed"}
        onPointerEnter={want}
        onFocus={want}
        onClick={() => {
          want();
          setOpen(!open);
        }}
      >
        {trigger}
      </Slot.Root>
      {(isWanted || open) && (
        <Loaded code={overlays}>
          {({ PopoverPanel }) => (
            <PopoverPanel
              id={panelId}
              label={label}
              anchor={anchor}
              align={align}
              side={side}
              open={open}
              onOpenChange={setOpen}
              className={className}
            >
              {children}
            </PopoverPanel>
          )}
        </Loaded>
      )}
    </>
  );
}
