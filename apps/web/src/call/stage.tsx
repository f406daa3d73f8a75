import type { Call } from "@warren/core";
import { useLayoutEffect, useRef, useState } from "react";
import { cx } from "../ui/cx.ts";
import { useBreakpoint } from "../ui/use-media-query.ts";
import { FocusedTile } from "./focused-tile.tsx";
import { gridOf, type StageItem } from "./stage-items.ts";
import { Tile } from "./tile.tsx";

const gap = 12;

interface StageProps {
  readonly call: Call;
  readonly items: readonly StageItem[];
  readonly focused: StageItem | null;
  readonly onFocus: (id: string | "grid") => void;
}

/** All tiles in a grid, or one large and the others in a strip beside or below it. */
export function Stage({ call, items, focused, onFocus }: StageProps) {
  const phone = useBreakpoint() === "phone";
  if (focused === null) return <Grid call={call} items={items} onFocus={onFocus} />;
  const others = items.filter(({ id }) => id !== focused.id);
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
              : "flex w-[min(320px,30%)] shrink-0 flex-col justify-center-safe gap-3 overflow-y-auto p-1",
          )}
        >
          {others.map((item) => (
            <li key={item.id} className="aspect-video w-full shrink-0">
              <Tile call={call} item={item} onFocus={() => onFocus(item.id)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Grid({ call, items, onFocus }: Omit<StageProps, "focused">) {
  const phone = useBreakpoint() === "phone";
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { tileWidth, columns } = gridOf(items.length, size.width, size.height, gap);
  // On a phone tiles would become stamps: they keep a size that shows a face, and the stage scrolls.
  const width = phone ? Math.max(tileWidth, Math.floor((size.width - gap) / 2)) : tileWidth;
  const perRow = phone ? Math.max(1, Math.floor((size.width + gap) / (width + gap))) : columns;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 overflow-y-auto px-4 max-md:px-3">
      <div ref={box} className="flex min-h-full w-full min-w-0 items-center justify-center">
        {width > 0 && (
          <ul
            className="flex flex-wrap justify-center gap-3"
            style={{ width: perRow * width + (perRow - 1) * gap }}
          >
            {items.map((item) => (
              <li key={item.id} style={{ width, height: Math.floor((width * 9) / 16) }}>
                <Tile call={call} item={item} onFocus={() => onFocus(item.id)} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
