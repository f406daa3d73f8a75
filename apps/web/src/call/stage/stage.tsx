import type { Call } from "@warren/core";
import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { cx } from "../../ui/cx.ts";
import { useBreakpoint, useIsLow } from "../../ui/hooks/use-media-query.ts";
import { observeSize } from "../../ui/observe-size.ts";
import { useChosenCorner, useCornerDrag } from "../use-corner-drag.ts";
import { FocusedTile } from "./focused-tile.tsx";
import { cornerSizeOf, gridOf, type Pair, type StageItem } from "./stage-items.ts";
import { Tile } from "./tile.tsx";
import { useTileAnimation } from "./use-tile-animation.ts";

const gap = 12;
/** Above and below a grid: a scroll container would clip the ring around a tile. */
const ringPx = 4;

interface StageProps {
  readonly call: Call;
  readonly items: readonly StageItem[];
  readonly focused: StageItem | null;
  /** Who fills the stage, without a focused tile. */
  readonly pair: Pair | null;
  /** Whether the whole picture of who fills the stage is shown, with bands beside it. */
  readonly isWhole: boolean;
  readonly onFocus: (id: string | "grid") => void;
  /** In a call of two: what happens, if it has not begun. Its title names the other one. */
  readonly privateCall: { readonly note: string | null } | null;
}

/**
 * The other person with my picture in a corner, all tiles in a grid, or a large one with the others in a strip beside or below
 * it.
 */
export function Stage({ focused, ...props }: StageProps) {
  const { items, pair, onFocus } = props;
  const isPhone = useBreakpoint() === "phone";
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const shown = pair === null ? items : [pair.large, ...pair.mine];
  useTileAnimation(box, [focused?.id, isPhone, pair !== null, ...shown.map(({ id }) => id)].join(" "));
  return (
    <div ref={box} className={cx("relative flex min-h-0 min-w-0 flex-1", pair === null && "low:mb-3")}>
      {focused === null ? (
        <Tiles {...props} items={shown} size={size} box={box} />
      ) : (
        <Focus call={props.call} items={items} focused={focused} onFocus={onFocus} size={size} />
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
}: Pick<StageProps, "call" | "items" | "onFocus"> & { readonly focused: StageItem; readonly size: Size }) {
  const isPhone = useBreakpoint() === "phone";
  const others = items.filter(({ id }) => id !== focused.id);
  const stripHeight = others.length * ((stripWidth(size.width) * 9) / 16 + gap);
  return (
    <div
      className={cx(
        "flex min-h-0 min-w-0 flex-1 gap-3 px-4",
        isPhone && "flex-col overflow-y-auto overscroll-contain px-3",
      )}
    >
      <FocusedTile
        key={focused.id}
        call={call}
        item={focused}
        onClose={() => onFocus("grid")}
        className={isPhone ? "min-h-[40%] shrink-0 grow" : "min-w-0 flex-1"}
      />
      {others.length > 0 && (
        <ul
          className={cx(
            isPhone
              ? "grid shrink-0 grid-cols-2 gap-3"
              : "flex shrink-0 flex-col justify-center-safe gap-3 p-1",
            // A scroll container would clip tiles that animate into it.
            !isPhone && stripHeight > size.height && "overflow-y-auto",
          )}
          style={isPhone ? undefined : { width: stripWidth(size.width) }}
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

interface TilesProps extends Omit<StageProps, "focused"> {
  readonly size: Size;
  readonly box: RefObject<HTMLElement | null>;
}

/** A grid or a pair, of the same elements: a picture goes on while its tile moves from one to the other. */
function Tiles({ call, items, pair, isWhole, onFocus, size, box, privateCall }: TilesProps) {
  const isPhone = useBreakpoint() === "phone";
  const isLow = useIsLow();
  const [chosen, choose] = useChosenCorner("own_picture_corner");
  const corner = chosen ?? "bottom-right";
  const padding = isPhone ? 12 : 16;
  const inner = Math.max(0, size.width - 2 * padding);
  const half = Math.floor((inner - gap) / 2);
  const fitting = gridOf(items.length, inner, size.height - 2 * ringPx, gap);
  // On a phone tiles would become tiny: they keep a size at which a face is visible, and the stage scrolls.
  const { columns, tileWidth, tileHeight } =
    isPhone && fitting.tileWidth < half
      ? { columns: 2, tileWidth: half, tileHeight: Math.floor((half * 9) / 16) }
      : fitting;
  const styleOf = (item: StageItem): CSSProperties => {
    if (pair === null) return { width: tileWidth, height: tileHeight };
    if (item === pair.large) return { position: "absolute", inset: 0 };
    const [y, x] = corner.split("-") as ["top" | "bottom", "left" | "right"];
    const small = cornerSizeOf(item.picture ?? { width: 0, height: 0 }, size);
    const fromEdge = gap + pair.mine.indexOf(item) * (small.height + gap);
    return {
      ...small,
      position: "absolute",
      [y]: `calc(var(--stage-${y}, 0px) + ${fromEdge}px)`,
      [x]: `calc(var(--stage-${x}, 0px) + ${padding}px)`,
    };
  };
  // In the hand a face fills the screen, as everywhere; what is at its sides is shown by turning it, or on request.
  const largeFit = isWhole ? "contain" : isPhone || isLow ? "cover" : "balanced";
  return (
    <div className={cx("flex min-h-0 min-w-0 flex-1 px-4 py-1 max-md:px-3", isPhone && "overflow-y-auto")}>
      <div className="flex min-h-full w-full min-w-0 items-center justify-center">
        {size.width > 0 && (
          <ul
            className={pair === null ? "flex flex-wrap justify-center gap-3" : "absolute inset-0"}
            style={pair === null ? { width: columns * tileWidth + (columns - 1) * gap } : undefined}
          >
            {items.map((item) => {
              const isInCorner = pair !== null && item !== pair.large;
              return (
                <TileSlot
                  key={item.id}
                  id={item.id}
                  style={styleOf(item)}
                  drag={isInCorner ? { corner, onChoose: choose, area: box } : null}
                >
                  {(onKeyDown) => (
                    <Tile
                      call={call}
                      item={item}
                      {...(item === pair?.large ? { fit: largeFit } : { onFocus: () => onFocus(item.id) })}
                      onKeyDown={onKeyDown}
                      isNamed={isInCorner ? item.kind === "screen" : privateCall === null || pair === null}
                      note={item === pair?.large ? privateCall?.note : null}
                    />
                  )}
                </TileSlot>
              );
            })}
          </ul>
        )}
      </div>
    </div>
  );
}

interface TileSlotProps {
  readonly id: string;
  readonly style: CSSProperties;
  /** Set in a corner, from which it can be moved into another. */
  readonly drag: Parameters<typeof useCornerDrag>[1] | null;
  readonly children: (onKeyDown: ReturnType<typeof useCornerDrag>["onKeyDown"] | undefined) => ReactNode;
}

/** Where a tile is. */
function TileSlot({ id, style, drag, children }: TileSlotProps) {
  const box = useRef<HTMLLIElement>(null);
  const { onKeyDown, dragHandlers } = useCornerDrag(box, drag ?? noDrag);
  const isMovable = drag !== null;
  return (
    <li
      ref={box}
      data-tile={id}
      data-corner={drag?.corner}
      style={style}
      className={cx(isMovable && "cursor-grab touch-none rounded-card shadow-menu")}
      {...(isMovable && dragHandlers)}
    >
      {children(isMovable ? onKeyDown : undefined)}
    </li>
  );
}

const noDrag = { corner: "bottom-right", onChoose: () => {} } as const;

/** The inner size of an element, known from the first paint on. */
function useSize(box: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    return observeSize(element, measure);
  }, [box]);
  return size;
}
