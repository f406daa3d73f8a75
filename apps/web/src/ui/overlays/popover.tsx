import * as Radix from "radix-ui/popover";
import { type ReactElement, type ReactNode, useState } from "react";
import { cx } from "../cx.ts";
import { BackGesture } from "./back-gesture.tsx";
import { closeOnEscape } from "./close-on-escape.ts";
import { keepTakenFocus } from "./keep-taken-focus.ts";
import { SheetHandle, sheetHandle, sheetPanel } from "./sheet-handle.tsx";

const widths = { sm: "w-56", md: "w-72", lg: "w-[392px]", content: "w-auto" };
const paddings = { none: "p-0", sm: "p-1", md: "p-4" };

interface PopoverProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  /** Accessible name of the panel. */
  readonly label: string;
  readonly align?: "start" | "center" | "end";
  readonly side?: "top" | "right" | "bottom";
  /** Between the button and the panel, in CSS pixels. */
  readonly offset?: number;
  /** Whether it is a sheet for a finger on a phone. */
  readonly isSheet?: boolean;
  readonly width?: keyof typeof widths;
  readonly padding?: keyof typeof paddings;
  readonly onOpenChange?: (isOpen: boolean) => void;
  /** Its content; a function can close the panel. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/** A panel beside its button. */
export function Popover({
  trigger,
  label,
  align = "end",
  side = "bottom",
  offset = 8,
  isSheet = false,
  width = "md",
  padding = "md",
  onOpenChange,
  children,
}: PopoverProps) {
  const [open, setOpen] = useState(false);
  // Until it is opened, only the trigger is rendered.
  const [wasOpened, setWasOpened] = useState(false);
  const change = (isOpen: boolean): void => {
    setOpen(isOpen);
    setWasOpened(true);
    onOpenChange?.(isOpen);
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {wasOpened && (
        <Radix.Portal>
          <Radix.Content
            aria-label={label}
            align={align}
            side={side}
            sideOffset={offset}
            collisionPadding={8}
            onKeyDown={closeOnEscape(() => change(false))}
            onOpenAutoFocus={(event) => {
              // Focuses the panel itself, so that its name is announced first and no key presses its first
              // button unseen.
              event.preventDefault();
              if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
            }}
            onCloseAutoFocus={keepTakenFocus}
            data-sheet={isSheet ? "" : undefined}
            className={cx(
              "z-menu max-w-[calc(100vw-16px)] rounded-menu bg-raised text-body shadow-menu outline-none animate-rise data-[state=closed]:animate-fade-out",
              widths[width],
              paddings[padding],
              isSheet && cx(sheetPanel, "sheet:w-full sheet:overflow-y-auto"),
            )}
          >
            <BackGesture />
            {isSheet && <SheetHandle className={sheetHandle} />}
            {typeof children === "function" ? children(() => change(false)) : children}
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  );
}
