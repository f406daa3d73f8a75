import { type ReactNode, useRef } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { type FloatingTile, useFloatingTile } from "./use-floating-tile.ts";

interface FloatingFrameProps {
  readonly children: (floating: FloatingTile) => ReactNode;
}

/** Keeps the call in a corner of the window, from which it can be dragged, or in a bar. */
export function FloatingFrame({ children }: FloatingFrameProps) {
  const t = useT();
  const box = useRef<HTMLElement>(null);
  const floating = useFloatingTile(box);
  const { isBar, isLarge, corner, dragHandlers } = floating;
  return (
    <section
      ref={box}
      aria-label={t("call.title")}
      data-corner={corner}
      {...(!isBar && dragHandlers)}
      className={cx(
        "stage z-drop flex bg-stage-bar text-compact text-text",
        isBar
          ? "min-h-13 items-center gap-1 px-2 py-1"
          : "touch-none flex-col overflow-hidden rounded-card shadow-menu",
        !isBar && (isLarge ? "w-[min(416px,calc(100vw-24px))]" : "w-[216px] lg:w-[268px]"),
        floating.className,
      )}
    >
      {!isBar && <MoveHandle onKeyDown={floating.onKeyDown} />}
      {children(floating)}
    </section>
  );
}

function MoveHandle({ onKeyDown }: Pick<FloatingTile, "onKeyDown">) {
  const t = useT();
  return (
    <button
      type="button"
      aria-label={t("call.move")}
      aria-description={t("call.moveHow")}
      onKeyDown={onKeyDown}
      className="flex h-4 w-full shrink-0 cursor-grab items-center justify-center focus-visible:-outline-offset-2"
    >
      <span className="h-1 w-8 rounded-full bg-line-2" />
    </button>
  );
}
