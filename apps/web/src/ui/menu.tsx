import * as Slot from "radix-ui/slot";
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
} from "react";
import { type MenuCheckProps, type MenuChoiceProps, type MenuItemProps, useMenuParts } from "./menu-parts.ts";
import { Loaded } from "./on-demand.tsx";
import { overlays, useOverlay } from "./overlays.ts";

interface MenuProps {
  /** The button that opens the menu; must accept a ref and pointer events. */
  readonly trigger: ReactElement;
  /** The trigger's id, if it is needed elsewhere. */
  readonly triggerId?: string;
  readonly align?: "start" | "center" | "end";
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly children: ReactNode;
}

/** A menu of actions. */
export function Menu({ trigger, triggerId, align = "end", side = "bottom", children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const { isWanted, want } = useOverlay(() => setOpen(false));
  const anchor = useRef<HTMLButtonElement>(null);
  const openedByKey = useRef(false);
  const ownId = useId();
  const anchorId = triggerId ?? ownId;
  const panelId = useId();

  const press = (next: boolean, byKey: boolean): void => {
    openedByKey.current = next && byKey;
    want();
    setOpen(next);
  };
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0 || event.ctrlKey) return;
    if (!open) event.preventDefault(); // the menu takes the focus
    press(!open, false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!["Enter", " ", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    press(event.key === "ArrowDown" || !open, true);
  };

  return (
    <>
      <Slot.Root
        ref={anchor}
        id={anchorId}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        data-state={open ? "open" : "closed"}
        onPointerEnter={want}
        onFocus={want}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
      >
        {trigger}
      </Slot.Root>
      {isWanted && (
        <Loaded code={overlays}>
          {({ MenuPanel }) => (
            <MenuPanel
              id={panelId}
              labelledBy={anchorId}
              anchor={anchor}
              openedByKey={openedByKey}
              align={align}
              side={side}
              open={open}
              onOpenChange={setOpen}
            >
              {children}
            </MenuPanel>
          )}
        </Loaded>
      )}
    </>
  );
}

/** One action. Put destructive ones last, after a {@link MenuSeparator}. */
export function MenuItem(props: MenuItemProps) {
  const { Item } = useMenuParts();
  return <Item {...props} />;
}

/** A single choice within a menu; the selected option has a tick. */
export function MenuChoice<T extends string>(props: MenuChoiceProps<T>) {
  const { Choice } = useMenuParts();
  return <Choice {...props} />;
}

/** A toggle; the menu stays open, so that several can be changed. */
export function MenuCheck(props: MenuCheckProps) {
  const { Check } = useMenuParts();
  return <Check {...props} />;
}

/** A hairline between groups. */
export function MenuSeparator() {
  const { Separator } = useMenuParts();
  return <Separator />;
}
