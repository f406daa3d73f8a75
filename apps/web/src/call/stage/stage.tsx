import type { Call } from "@warren/core";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { cx } from "../../ui/cx.ts";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";
import { FocusedTile } from "./focused-tile.tsx";
import { gridOf, type StageItem } from "./stage-items.ts";
import { Tile } from "./tile.tsx";
import { useTileAnimation } from "./use-tile-animation.ts";

const gap = 12;

interface StageProps {
  readonly call: Call;
  readonly items: readonly StageItem[];
  readonly focused: StageItem | null;
  readonly onFocus: (id: string | "grid") => void;
}

/** All tiles in a grid, or a large one with the others in a strip beside or below it. */
export function Stage({ call, items, focused, onFocus }: StageProps) {
  const phone = useBreakpoint() === "phone";
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  useTileAnimation(box, [focused?.id, phone, ...items.map(({ id }) => id)].join(" "));
  return (
    <div ref={box} className="relative flex min-h-0 min-w-0 flex-1">
      {focused === null ? (
        <Grid call={call} items={items} onFocus={onFocus} size={size} />
      ) : (
        <Focus call={call} items={items} focused={focused} onFocus={onFocus} size={size} />
      )}
    </div>
  );
}

function Focus({
  call,
  items,
  focused,
  onFocus,
  size,
}: StageProps & { readonly focused: StageItem; readonly size: Size }) {
  const phone = useBreakpoint() === "phone";
  const others = items.filter(({ id }) => id !== focused.id);
  const stripHeight = others.length * ((stripWidth(size.width) * 9) / 16 + gap);
  return (
    <div
      className={cx(
        "flex min-h-0 min-w-0 flex-1 gap-3 px-4",
        phone && "flex-col overflow-y-auto overscroll-contain px-3",
      )}
    >
      <FocusedTile
        key={focused.id}
        call={call}
        item={focused}
        onClose={() => onFocus("grid")}
        className={phone ? "min-h-[40%] shrink-0 grow" : "min-w-0 flex-1"}
      />
      {others.length > 0 && (
        <ul
          className={cx(
            phone
              ? "grid shrink-0 grid-cols-2 gap-3"
              : "flex shrink-0 flex-col justify-center-safe gap-3 p-1",
            // A scroll container would clip tiles that animate into it.
            !phone && stripHeight > size.height && "overflow-y-auto",
          )}
          style={phone ? undefined : { width: stripWidth(size.width) }}
        >
          {others.map((item) => (
            <li key={item.id} data-tile={item.id} className="aspect-video w-full shrink-0">
              <Tile call={call} item={item} onFocus={() => onFocus(item.id)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Width of the strip, in CSS pixels. */
function stripWidth(stageWidth: number): number {
  return Math.min(320, Math.round(stageWidth * 0.3));
}

interface Size {
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
}

function Grid({ call, items, onFocus, size }: Omit<StageProps, "focused"> & { readonly size: Size }) {
  const phone = useBreakpoint() === "phone";
  const inner = Math.max(0, size.width - 2 * (phone ? 12 : 16));
  const { tileWidth, columns } = gridOf(items.length, inner, size.height, gap);
  // On a phone tiles would become tiny: they keep a size at which a face is visible, and the stage scrolls.
  const width = phone ? Math.max(tileWidth, Math.floor((inner - gap) / 2)) : tileWidth;
  const perRow = phone ? Math.max(1, Math.floor((inner + gap) / (width + gap))) : columns;
  return (
    <div className={cx("flex min-h-0 min-w-0 flex-1 px-4 max-md:px-3", phone && "overflow-y-auto")}>
      <div className="flex min-h-full w-full min-w-0 items-center justify-center">
        {width > 0 && (
          <ul
            className="flex flex-wrap justify-center gap-3"
            style={{ width: perRow * width + (perRow - 1) * gap }}
          >
            {items.map((item) => (
              <li key={item.id} data-tile={item.id} style={{ width, height: Math.floor((width * 9) / 16) }}>
                <Tile call={call} item={item} onFocus={() => onFocus(item.id)} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** The inner size of an element, known from the first paint on. */
function useSize(box: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}
