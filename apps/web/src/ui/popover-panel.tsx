import * as Radix from "radix-ui/popover";
import { type ReactNode, type RefObject, useRef } from "react";
import { cx } from "./cx.ts";

interface PopoverPanelProps {
  readonly id: string;
  readonly label: string;
  /** The trigger: the panel is placed beside it and returns the focus to it. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly align: "start" | "center" | "end";
  readonly side: "top" | "right" | "bottom" | "left";
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** The panel of a popover. Not modal, for the reason given at {@link MenuPanel} (menu-panel.tsx). */
export function PopoverPanel({
  id,
  label,
  anchor,
  align,
  side,
  open,
  onOpenChange,
  className,
  children,
}: PopoverPanelProps) {
  const pressedOutside = useRef(false);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Anchor virtualRef={anchor} />
      <Radix.Portal>
        <Radix.Content
          id={id}
          aria-label={label}
          align={align}
          side={side}
          sideOffset={8}
          collisionPadding={8}
          onOpenAutoFocus={(event) => {
            // Focuses the panel itself, so that its name is announced first and no key presses its first
            // button unseen.
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onInteractOutside={(event) => {
            // A press on the trigger already closes it.
            if (event.target instanceof Node && anchor.current?.contains(event.target))
              event.preventDefault();
            else pressedOutside.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!pressedOutside.current) anchor.current?.focus();
            pressedOutside.current = false;
          }}
          className={cx(
            "z-menu w-72 max-w-[calc(100vw-16px)] rounded-menu bg-raised p-4 text-body shadow-menu outline-none animate-rise data-[state=closed]:animate-fade-out",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
