import { everyone } from "@warren/core";
import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { ClientMenuItems, EveryoneMenuItems } from "../../dialogs/client-menu.tsx";
import { Loaded } from "../../ui/on-demand.tsx";
import { overlays } from "../../ui/overlays.ts";
import { clientNameId } from "./client-row.tsx";

const longPressMs = 500;
const longPressSlopPx = 10;

/**
 * The menu of a row in the list of people: under the right button, the menu key, or a long press, which browsers on
 * phones do not all report.
 */
export function ClientContextMenu({ children }: { readonly children: ReactNode }) {
  const [clientId, setClientId] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  /** The row: it gets the focus back. */
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

  const open = (target: EventTarget, x: number, y: number): boolean => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[role="option"]') : null;
    const id = row?.closest<HTMLElement>("[data-id]")?.dataset.id;
    if (!row || id === undefined) return false;
    anchor.current = row;
    place.current = { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
    overlays.load().catch(() => setOpen(false));
    setClientId(id);
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
  const onPointerDown = ({ pointerType, target, clientX: x, clientY: y }: PointerEvent): void => {
    isPressed.current = false;
    if (pointerType !== "touch") return;
    endPress();
    const openNow = (): void => {
      byKey.current = false;
      isPressed.current = open(target, x, y);
    };
    press.current = { timer: setTimeout(openNow, longPressMs), x, y };
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows inside are the controls
    <div
      className="[-webkit-touch-callout:none]"
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
      {clientId !== undefined && (
        <Loaded code={overlays}>
          {({ MenuPanel }) => (
            <MenuPanel
              id={panelId}
              labelledBy={clientNameId(clientId)}
              anchor={anchor}
              place={place}
              openedByKey={byKey}
              align="start"
              side="bottom"
              open={isOpen}
              onOpenChange={setOpen}
            >
              {clientId === everyone ? (
                <EveryoneMenuItems />
              ) : (
                <ClientMenuItems clientId={clientId} place="list" />
              )}
            </MenuPanel>
          )}
        </Loaded>
      )}
    </div>
  );
}
