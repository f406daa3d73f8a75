import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Loaded } from "./on-demand.tsx";
import { overlays } from "./overlays.ts";

const longPressMs = 500;
const longPressSlopPx = 10;

/** What a context menu is about. */
export interface ContextTarget {
  readonly id: string;
  /** The row's element that takes the focus: it gets it back. */
  readonly anchor: HTMLElement;
  /** The id of the element that names the menu. */
  readonly labelledBy: string;
}

interface ContextMenuProps {
  /** What the element that was pressed belongs to; null where there is no menu. */
  readonly find: (pressed: Element) => ContextTarget | null;
  readonly items: (id: string) => ReactNode;
  readonly children: ReactNode;
}

/**
 * One menu for all rows inside it: under the right button, the menu key, or a long press, which browsers on phones do
 * not all report.
 */
export function ContextMenu({ find, items, children }: ContextMenuProps) {
  const [target, setTarget] = useState<ContextTarget>();
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const anchor = useRef<HTMLElement>(null);
  const place = useRef({ getBoundingClientRect: () => new DOMRect() });
  const byKey = useRef(false);
  const press = useRef<{
    readonly timer: ReturnType<typeof setTimeout>;
    readonly x: number;
    readonly y: number;
  }>(null);
  const isPressed = useRef(false);
  useEffect(() => () => clearTimeout(press.current?.timer), []);

  const open = (pressed: EventTarget, x: number, y: number): boolean => {
    const found = pressed instanceof Element ? find(pressed) : null;
    if (found === null) return false;
    anchor.current = found.anchor;
    place.current = { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
    overlays.load().catch(() => setOpen(false));
    setTarget(found);
    setOpen(true);
    return true;
  };
  const endPress = (): void => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };

  const onContextMenu = (event: MouseEvent): void => {
    endPress();
    if (isPressed.current && isOpen) {
      event.preventDefault(); // the long press has opened it already
      return;
    }
    byKey.current = event.button !== 2 && !event.ctrlKey;
    const box = event.target instanceof Element ? event.target.getBoundingClientRect() : new DOMRect();
    const [x, y] = byKey.current ? [box.left + 48, box.top + box.height / 2] : [event.clientX, event.clientY];
    if (open(event.target, x, y)) event.preventDefault();
  };
  const onPointerDown = ({ pointerType, target: pressed, clientX: x, clientY: y }: PointerEvent): void => {
    isPressed.current = false;
    if (pointerType !== "touch") return;
    endPress();
    const openNow = (): void => {
      byKey.current = false;
      isPressed.current = open(pressed, x, y);
    };
    press.current = { timer: setTimeout(openNow, longPressMs), x, y };
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows inside are the controls
    <div
      className="[-webkit-touch-callout:none] pointer-coarse:select-none"
      onContextMenu={onContextMenu}
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX, clientY }) => {
        const start = press.current;
        if (start && Math.hypot(clientX - start.x, clientY - start.y) > longPressSlopPx) endPress();
      }}
      onPointerUp={endPress}
      onPointerCancel={endPress}
      onClickCapture={(event) => {
        // The finger that opened the menu is lifted: that is no press on the row.
        if (!isPressed.current) return;
        isPressed.current = false;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {children}
      {target !== undefined && (
        <Loaded code={overlays}>
          {({ MenuPanel }) => (
            <MenuPanel
              id={panelId}
              labelledBy={target.labelledBy}
              anchor={anchor}
              place={place}
              openedByKey={byKey}
              align="start"
              side="bottom"
              open={isOpen}
              onOpenChange={setOpen}
            >
              {items(target.id)}
            </MenuPanel>
          )}
        </Loaded>
      )}
    </div>
  );
}
