import * as Radix from "radix-ui/popover";
import { type ReactElement, type ReactNode, useState } from "react";
import { cx } from "../cx.ts";
import { closeOnEscape } from "./close-on-escape.ts";

interface PopoverProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  /** Accessible name of the panel. */
  readonly label: string;
  readonly align?: "start" | "center" | "end";
  readonly side?: "top" | "right" | "bottom";
  readonly className?: string;
  /** Its content; a function can close the panel. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/** A panel beside its button. */
export function Popover({
  trigger,
  label,
  align = "end",
  side = "bottom",
  className,
  children,
}: PopoverProps) {
  const [open, setOpen] = useState(false);
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={8}
          collisionPadding={8}
          onKeyDown={closeOnEscape(() => setOpen(false))}
          onOpenAutoFocus={(event) => {
            // Focuses the panel itself, so that its name is announced first and no key presses its first
            // button unseen.
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          className={cx(
            "z-menu w-72 max-w-[calc(100vw-16px)] rounded-menu bg-raised p-4 text-body shadow-menu outline-none animate-rise data-[state=closed]:animate-fade-out",
            className,
          )}
        >
          {typeof children === "function" ? children(() => setOpen(false)) : children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
