import { type PointerEvent, useRef } from "react";

/** A shorter movement is a tap that slipped. */
const wayMinPx = 48;

/** The handlers of an element that detects swipes. */
export interface Swipe {
  onPointerDown(event: PointerEvent): void;
  onPointerMove(event: PointerEvent): void;
  onPointerUp(event: PointerEvent): void;
  onPointerCancel(): void;
}

/**
 * Detects a horizontal one-finger swipe. The element leaves vertical scrolling to the browser
 * (`touch-pan-y`), which cancels the pointer when it takes over; media players keep their own gestures, and a
 * zoomed-in page is panned instead.
 * @param onMove called with how far a touch has moved to the right, in px, and with 0 once it is over.
 */
export function useSwipe(
  onSwipe: (to: "left" | "right") => void,
  onMove: (x: number) => void = () => {},
): Swipe {
  const start = useRef<{ readonly x: number; readonly y: number }>(null);
  return {
    onPointerDown({ pointerType, isPrimary, target, clientX, clientY }) {
      const isOnPlayer = target instanceof Element && target.closest("video, audio") !== null;
      const isZoomed = (window.visualViewport?.scale ?? 1) > 1;
      const counts = pointerType === "touch" && isPrimary && !isOnPlayer && !isZoomed;
      start.current = counts ? { x: clientX, y: clientY } : null;
    },
    onPointerMove({ clientX, clientY }) {
      if (start.current === null) return;
      const x = clientX - start.current.x;
      onMove(Math.abs(x) > 2 * Math.abs(clientY - start.current.y) ? x : 0);
    },
    onPointerUp({ clientX, clientY }) {
      if (start.current === null) return;
      const x = clientX - start.current.x;
      const y = clientY - start.current.y;
      start.current = null;
      onMove(0);
      if (Math.abs(x) >= wayMinPx && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? "left" : "right");
    },
    onPointerCancel() {
      if (start.current !== null) onMove(0);
      start.current = null;
    },
  };
}
