import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { isShortcut } from "../../wiring/shortcuts/shortcuts.ts";

/** The offset of a picture in CSS pixels, and its scale. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

const whole: Zoom = { scale: 1, x: 0, y: 0 };
const scaleMax = 8;
const step = 1.25;
const panStep = 60;

/** The same zoom with the picture moved back into its box. */
export function clampZoom({ scale, x, y }: Zoom, width: number, height: number): Zoom {
  const clamped = Math.min(scaleMax, Math.max(1, scale));
  const within = (offset: number, side: number) => {
    const most = ((clamped - 1) * side) / 2;
    return Math.min(most, Math.max(-most, offset));
  };
  return { scale: clamped, x: within(x, width), y: within(y, height) };
}

/** Scales around a point of the box, which stays in place. The point is relative to the centre. */
export function zoomedAt(zoom: Zoom, factor: number, pointX: number, pointY: number): Zoom {
  const scale = Math.min(scaleMax, Math.max(1, zoom.scale * factor));
  const grown = scale / zoom.scale;
  return { scale, x: pointX - (pointX - zoom.x) * grown, y: pointY - (pointY - zoom.y) * grown };
}

/** Zooms by wheel, pinch, drag, and the keys +, −, 0 and the arrows. */
export function useZoom(box: RefObject<HTMLElement | null>, isOn: boolean) {
  const [zoom, setZoom] = useState(whole);
  const pointers = useRef(new Map<number, { x: number; y: number }>());

  const change = (next: (zoom: Zoom) => Zoom): void => {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
    setZoom((last) => clampZoom(next(last), clientWidth, clientHeight));
  };
  const changeByWheel = useEffectEvent(change);

  useEffect(() => {
    const element = box.current;
    setZoom(whole);
    if (element === null || !isOn) return;
    // React's own listener is passive, so the page would scroll or zoom as well.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top, width, height } = element.getBoundingClientRect();
      const factor = Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400));
      changeByWheel((last) =>
        zoomedAt(last, factor, event.clientX - left - width / 2, event.clientY - top - height / 2),
      );
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [box, isOn]);

  const onPointerDown = (event: PointerEvent): void => {
    if (!isOn) return;
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (zoom.scale > 1 || pointers.current.size > 1) event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, now);
    if (other === undefined) {
      change((last) => ({ ...last, x: last.x + now.x - before.x, y: last.y + now.y - before.y }));
      return;
    }
    const apart = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const middle = {
      x: (now.x + other.x) / 2 - left - width / 2,
      y: (now.y + other.y) / 2 - top - height / 2,
    };
    change((last) => zoomedAt(last, apart(now) / apart(before), middle.x, middle.y));
  };
  const onPointerUp = (event: PointerEvent): void => {
    pointers.current.delete(event.pointerId);
  };
  const zoomIn = () => change((last) => zoomedAt(last, step, 0, 0));
  const zoomOut = () => change((last) => zoomedAt(last, 1 / step, 0, 0));
  const moves: Readonly<Record<string, (last: Zoom) => Zoom>> = {
    ArrowLeft: (last) => ({ ...last, x: last.x + panStep }),
    ArrowRight: (last) => ({ ...last, x: last.x - panStep }),
    ArrowUp: (last) => ({ ...last, y: last.y + panStep }),
    ArrowDown: (last) => ({ ...last, y: last.y - panStep }),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOn) return;
    const { nativeEvent } = event;
    const move = isShortcut(nativeEvent, "moveZoomed") ? moves[event.key] : undefined;
    if (move !== undefined) change(move);
    else if (isShortcut(nativeEvent, "zoomIn")) zoomIn();
    else if (isShortcut(nativeEvent, "zoomOut")) zoomOut();
    else if (isShortcut(nativeEvent, "zoomReset")) change(() => whole);
    else return;
    event.preventDefault();
  };

  return {
    zoom,
    /** Sets the scale, centred. */
    setScale: (scale: number) => change(() => ({ scale, x: 0, y: 0 })),
    zoomIn,
    zoomOut,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onKeyDown },
  };
}
