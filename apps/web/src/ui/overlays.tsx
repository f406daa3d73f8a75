import {
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useId,
  useRef,
  useState,
} from "react";
import { useT } from "../i18n/use-t.ts";
import { Loaded, type OnDemand, onDemand } from "./on-demand.tsx";
import type { PanelProps } from "./overlay-panels.tsx";
import { toast } from "./toaster.tsx";
import { useLongPress } from "./use-long-press.ts";

/**
 * Radix's panels. They are not in the first load (docs/decisions/0029), so a trigger is a plain button that fetches them when it
 * is about to be pressed; a press before they are loaded opens the panel once they are.
 */
const panels = onDemand(() => import("./overlay-panels.tsx"));

/** The props that a trigger passes to its button. */
export interface TriggerProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly id?: string;
  readonly "aria-haspopup"?: "menu" | "dialog";
  readonly "aria-expanded"?: boolean;
  readonly "aria-controls"?: string | undefined;
  readonly "data-state"?: "open" | "closed";
  onPointerEnter?(): void;
  onFocus?(): void;
  onClick?(event: MouseEvent<HTMLButtonElement>): void;
  onKeyDown?(event: KeyboardEvent): void;
}

/** The toast that says that a panel could not be fetched: one for all panels, gone once one opens. */
const missingToast = "panel-missing";

/** The state of a panel: open, closed, or not yet asked for. `want` fetches it before it is pressed. */
function useOverlay(code: OnDemand<unknown> | undefined) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const load = () => {
    setWanted(true);
    return Promise.all([panels.load(), code?.load()]);
  };
  const want = (): void => {
    load().catch(() => {}); // reported on press
  };
  const press = (next: boolean): void => {
    setOpen(next);
    if (!next) return;
    load().then(
      () => toast.dismiss(missingToast),
      () => {
        setOpen(false); // the next press fetches it again
        toast.error(t("error.app-code-missing"), { id: missingToast });
      },
    );
  };
  return { open, setOpen, isWanted, want, press };
}

interface MenuProps extends Partial<Pick<PanelProps, "align" | "side">> {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<TriggerProps>;
  /** The trigger's id, if it is needed elsewhere. */
  readonly triggerId?: string;
  /** The code of the items, if it is not there yet. */
  readonly code?: OnDemand<unknown>;
  /** From ui/menu-items.tsx. */
  readonly children: ReactNode;
}

/** A menu of actions. */
export function Menu({ trigger, triggerId, code, align = "end", side = "bottom", children }: MenuProps) {
  const { open, setOpen, isWanted, want, press } = useOverlay(code);
  const anchor = useRef<HTMLButtonElement>(null);
  const openedByKey = useRef(false);
  const ownId = useId();
  const anchorId = triggerId ?? ownId;
  const panelId = useId();
  const pressBy = (next: boolean, byKey: boolean): void => {
    openedByKey.current = next && byKey;
    press(next);
  };
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        id: anchorId,
        "aria-haspopup": "menu",
        "aria-expanded": open,
        "aria-controls": open ? panelId : undefined,
        "data-state": open ? "open" : "closed",
        onPointerEnter: want,
        onFocus: want,
        onClick: ({ detail }) => pressBy(!open, detail === 0),
        onKeyDown: (event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          pressBy(true, true);
        },
      })}
      {isWanted && (
        <Loaded code={panels}>
          {({ MenuPanel }) => (
            <Arrived code={code}>
              <MenuPanel
                {...{ id: panelId, labelledBy: anchorId, anchor, openedByKey, align, side, open }}
                onOpenChange={setOpen}
              >
                {children}
              </MenuPanel>
            </Arrived>
          )}
        </Loaded>
      )}
    </>
  );
}

/** The target of a context menu. */
export interface ContextTarget {
  readonly id: string;
  /** The row's focusable element, which gets the focus back. */
  readonly anchor: HTMLElement;
  /** The id of the element that names the menu. */
  readonly labelledBy: string;
}

interface ContextMenuProps {
  /** The row that contains the pressed element; null where there is no menu. */
  readonly find: (pressed: Element) => ContextTarget | null;
  readonly code?: OnDemand<unknown>;
  readonly items: (id: string) => ReactNode;
  readonly children: ReactNode;
}

/** One context menu for all rows inside: right click, menu key, or long press. */
export function ContextMenu({ find, code, items, children }: ContextMenuProps) {
  const { open, setOpen, press } = useOverlay(code);
  const [target, setTarget] = useState<ContextTarget>();
  const panelId = useId();
  const anchor = useRef<HTMLElement>(null);
  const place = useRef({ getBoundingClientRect: () => new DOMRect() });
  const openedByKey = useRef(false);

  const show = (pressed: EventTarget, x: number, y: number): boolean => {
    const found = pressed instanceof Element ? find(pressed) : null;
    if (found === null) return false;
    anchor.current = found.anchor;
    place.current = { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
    setTarget(found);
    press(true);
    return true;
  };
  const longPress = useLongPress(({ target: pressed, x, y }) => {
    openedByKey.current = false;
    return show(pressed, x, y);
  });

  const onContextMenu = (event: MouseEvent): void => {
    longPress.cancel();
    if (longPress.wasLong.current && open) {
      event.preventDefault(); // the long press has opened it already
      return;
    }
    openedByKey.current = event.button !== 2 && !event.ctrlKey;
    const box = event.target instanceof Element ? event.target.getBoundingClientRect() : new DOMRect();
    const [x, y] = openedByKey.current
      ? [box.left + 48, box.top + box.height / 2]
      : [event.clientX, event.clientY];
    if (show(event.target, x, y)) event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows inside are the controls
    <div
      className="[-webkit-touch-callout:none] pointer-coarse:select-none"
      onContextMenu={onContextMenu}
      {...longPress.handlers}
    >
      {children}
      {target !== undefined && (
        <Loaded code={panels}>
          {({ MenuPanel }) => (
            <Arrived code={code}>
              <MenuPanel
                {...{ id: panelId, labelledBy: target.labelledBy, anchor, place, openedByKey, open }}
                align="start"
                side="bottom"
                onOpenChange={setOpen}
              >
                {items(target.id)}
              </MenuPanel>
            </Arrived>
          )}
        </Loaded>
      )}
    </div>
  );
}

interface PopoverProps extends Partial<Pick<PanelProps, "align" | "side">> {
  /** The button that opens it. */
  readonly trigger: ReactElement<TriggerProps>;
  /** Accessible name of the panel. */
  readonly label: string;
  readonly className?: string;
  /** The code of its content, if that is not loaded yet. */
  readonly code?: OnDemand<unknown>;
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
  code,
  children,
}: PopoverProps) {
  const { open, setOpen, isWanted, want, press } = useOverlay(code);
  const anchor = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        "aria-haspopup": "dialog",
        "aria-expanded": open,
        "aria-controls": open ? id : undefined,
        "data-state": open ? "open" : "closed",
        onPointerEnter: want,
        onFocus: want,
        onClick: () => press(!open),
      })}
      {isWanted && (
        <Loaded code={panels}>
          {({ PopoverPanel }) => (
            <Arrived code={code}>
              <PopoverPanel {...{ id, label, anchor, align, side, open, className }} onOpenChange={setOpen}>
                {typeof children === "function" ? children(() => setOpen(false)) : children}
              </PopoverPanel>
            </Arrived>
          )}
        </Loaded>
      )}
    </>
  );
}

/** Renders once the code is loaded; at once without code. */
function Arrived({
  code,
  children,
}: {
  readonly code: OnDemand<unknown> | undefined;
  readonly children: ReactNode;
}) {
  return code === undefined ? children : <Loaded code={code}>{() => children}</Loaded>;
}
