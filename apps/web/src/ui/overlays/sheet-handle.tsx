import { type PointerEvent, useRef } from "react";
import { cx } from "../cx.ts";
import { pressEscape } from "./close-on-escape.ts";

/** A panel of Radix that is a sheet for a finger on a phone; it has the attribute `data-sheet`. */
export const sheetPanel =
  "sheet:relative sheet:max-h-[92dvh] sheet:max-w-none sheet:rounded-b-none sheet:rounded-t-sheet sheet:px-2 sheet:pt-6 sheet:pb-[max(12px,env(safe-area-inset-bottom))] sheet:animate-sheet-in sheet:data-[state=closed]:animate-sheet-out";
/** The handle of a {@link sheetPanel}. */
export const sheetHandle = "-top-6 -mx-2 -mt-6 hidden sheet:flex";

/** A sheet that was pulled further down than this closes. */
const closesPx = 64;

/** The handle of a sheet: a finger pulls it down. It closes as Escape does, which is what keys and screen readers have. */
export function SheetHandle({ className }: { readonly className: string }) {
  const startY = useRef<number>(null);
  const pull = ({ currentTarget: { parentElement } }: PointerEvent, byPx: number): void => {
    if (parentElement) parentElement.style.translate = byPx === 0 ? "" : `0 ${byPx}px`;
  };
  const end = (event: PointerEvent): void => {
    startY.current = null;
    pull(event, 0);
  };
  return (
    <div
      aria-hidden="true"
      className={cx("sticky h-6 shrink-0 touch-none items-center justify-center bg-raised", className)}
      onPointerDown={(event) => {
        startY.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (startY.current !== null) pull(event, Math.max(0, event.clientY - startY.current));
      }}
      onPointerUp={(event) => {
        const isFar = startY.current !== null && event.clientY - startY.current > closesPx;
        if (!isFar) end(event);
        else {
          startY.current = null;
          pressEscape(event.currentTarget);
        }
      }}
      onPointerCancel={end}
    >
      <span className="h-1 w-9 rounded-full bg-line-2" />
    </div>
  );
}
