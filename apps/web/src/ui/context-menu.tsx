import { type MouseEvent, type ReactNode, useId, useRef, useState } from "react";
import { Loaded } from "./on-demand.tsx";
import { overlays } from "./overlays.ts";
import { useLongPress } from "./use-long-press.ts";

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
  readonly items: (id: string) => ReactNode;
  readonly children: ReactNode;
}

/** One context menu for all rows inside: right click, menu key, or long press. */
export function ContextMenu({ find, items, children }: ContextMenuProps) {
  const [target, setTarget] = useState<ContextTarget>();
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const anchor = useRef<HTMLElement>(null);
  const place = useRef({ getBoundingClientRect: () => new DOMRect() });
  const byKey = useRef(false);

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
  const longPress = useLongPress(({ target: pressed, x, y }) => {
    byKey.current = false;
    return open(pressed, x, y);
  });

  const onContextMenu = (event: MouseEvent): void => {
    longPress.cancel();
    if (longPress.wasLong.current && isOpen) {
      event.preventDefault(); // the long press has opened it already
      return;
    }
    byKey.current = event.button !== 2 && !event.ctrlKey;
    const box = event.target instanceof Element ? event.target.getBoundingClientRect() : new DOMRect();
    const [x, y] = byKey.current ? [box.left + 48, box.top + box.height / 2] : [event.clientX, event.clientY];
    if (open(event.target, x, y)) event.preventDefault();
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
