import { Menu } from "radix-ui/internal";
import * as Popover from "radix-ui/popover";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { cx } from "./cx.ts";
import { occupy } from "./occupied.ts";

const panel =
  "z-menu rounded-menu bg-raised shadow-menu outline-none animate-rise data-[state=closed]:animate-fade-out";

/** What a panel needs of its trigger (ui/overlays.tsx). */
export interface PanelProps {
  readonly id: string;
  /** The trigger: the panel is placed beside it and returns the focus to it. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly align: "start" | "center" | "end";
  readonly side: "top" | "right" | "bottom" | "left";
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly children: ReactNode;
}

/**
 * Returns the focus to the trigger, unless a press elsewhere closed the panel. Radix knows neither the trigger, which is not its
 * own, nor that a press on it closes the panel already.
 */
function useReturnedFocus(anchor: PanelProps["anchor"]) {
  const pressedOutside = useRef(false);
  return {
    onInteractOutside: (event: CustomEvent): void => {
      if (event.target instanceof Node && anchor.current?.contains(event.target)) event.preventDefault();
      else pressedOutside.current = true;
    },
    onCloseAutoFocus: (event: Event): void => {
      event.preventDefault();
      if (!pressedOutside.current) anchor.current?.focus();
      pressedOutside.current = false;
    },
  };
}

interface MenuPanelProps extends PanelProps {
  /** The id of the trigger, whose name also labels the menu. */
  readonly labelledBy: string;
  /** The position of the panel, if not beside its trigger. */
  readonly place?: RefObject<{ getBoundingClientRect(): DOMRect }>;
  /** Whether it was opened by keyboard: then its first action is focused. */
  readonly openedByKey: RefObject<boolean>;
}

/**
 * The panel of a menu. Not modal: a modal one locks scrolling with a `<style>` element that the content
 * security policy forbids.
 */
export function MenuPanel({
  labelledBy,
  anchor,
  place,
  openedByKey,
  open,
  onOpenChange,
  ...content
}: MenuPanelProps) {
  // The page must not change under an open menu, which would close with it.
  useEffect(() => (open ? occupy() : undefined), [open]);
  const returnedFocus = useReturnedFocus(anchor);
  return (
    <Menu.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Menu.Anchor virtualRef={place ?? anchor} />
      <Menu.Portal>
        <Menu.Content
          aria-labelledby={labelledBy}
          sideOffset={4}
          collisionPadding={8}
          onEntryFocus={(event) => {
            // Radix only knows of keys pressed after its code was loaded.
            if (!openedByKey.current) return;
            openedByKey.current = false;
            event.preventDefault();
            if (event.currentTarget instanceof Element) focusFirstAction(event.currentTarget);
          }}
          {...returnedFocus}
          className={cx(
            panel,
            "min-w-44 max-w-[min(20rem,calc(100vw-16px))] overflow-y-auto p-1 max-h-(--radix-popper-available-height)",
          )}
          {...content}
        />
      </Menu.Portal>
    </Menu.Root>
  );
}

function focusFirstAction(menu: Element): void {
  menu.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus();
}

interface PopoverPanelProps extends PanelProps {
  readonly label: string;
  readonly className: string | undefined;
}

/** The panel of a popover. Not modal, for the reason given at {@link MenuPanel}. */
export function PopoverPanel({
  label,
  anchor,
  open,
  onOpenChange,
  className,
  ...content
}: PopoverPanelProps) {
  const returnedFocus = useReturnedFocus(anchor);
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          sideOffset={8}
          collisionPadding={8}
          onOpenAutoFocus={(event) => {
            // Focuses the panel itself, so that its name is announced first and no key presses its first
            // button unseen.
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          {...returnedFocus}
          className={cx(panel, "w-72 max-w-[calc(100vw-16px)] p-4 text-body", className)}
          {...content}
        />
      </Popover.Portal>
    </Popover.Root>
  );
}
