import type { KeyboardEvent, PointerEvent } from "react";
import { useT } from "../../i18n/use-t.ts";
import { listWidth } from "./use-list-width.ts";

interface ListResizerProps {
  readonly width: number;
  readonly onChange: (width: number) => void;
}

const stepPx = 20;

/** The edge of the people list: drag it or use the arrow keys; a double click resets it. */
export function ListResizer({ width, onChange }: ListResizerProps) {
  const t = useT();
  const drag = (event: PointerEvent<HTMLHRElement>): void => {
    const edge = event.currentTarget;
    const startX = event.clientX;
    const dragging = new AbortController();
    const { signal } = dragging;
    edge.setPointerCapture(event.pointerId);
    const move = ({ clientX }: MouseEvent): void => onChange(width + clientX - startX);
    edge.addEventListener("pointermove", move, { signal });
    edge.addEventListener("pointerup", () => dragging.abort(), { signal });
    edge.addEventListener("pointercancel", () => dragging.abort(), { signal });
  };
  const step = (event: KeyboardEvent): void => {
    const widths: Readonly<Record<string, number>> = {
      ArrowLeft: width - stepPx,
      ArrowRight: width + stepPx,
      Home: listWidth.min,
      End: listWidth.max,
    };
    const next = widths[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <hr
      aria-orientation="vertical"
      aria-label={t("nav.resizeList")}
      aria-valuenow={width}
      aria-valuemin={listWidth.min}
      aria-valuemax={listWidth.max}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={step}
      onDoubleClick={() => onChange(listWidth.default)}
      className="relative z-header -mx-1 h-full w-2 shrink-0 cursor-col-resize touch-none border-0 bg-[linear-gradient(var(--line),var(--line))] bg-[length:1px_100%] bg-center bg-no-repeat"
    />
  );
}
