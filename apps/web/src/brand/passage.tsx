import type { ReactNode } from "react";
import { cx } from "../ui/cx.ts";

interface PassageProps {
  /** The content of the left opening: usually my avatar, as large as the opening; it may be a button. */
  readonly from: ReactNode;
  /** The content of the right opening; without it, the opening is dashed and empty. */
  readonly to?: ReactNode;
  /** Diameter of an opening in px: 52 on arrival, 44 while waiting. */
  readonly opening?: number;
  readonly className?: string;
}

/** The passage, Warren's only ornament: a burrow between two openings, from your browser to theirs. */
export function Passage({ from, to, opening = 52, className }: PassageProps) {
  const radius = opening / 2;
  const span = opening === 52 ? 164 : 148;
  const tunnel = opening === 52 ? 16 : 14;
  const width = span + opening;
  const bend = opening * 0.73;
  const floor = radius + 58 * (opening / 52) + 2;
  const path = `M${radius} ${floor - bend}a${bend} ${bend} 0 0 0 ${bend} ${bend}h${span - 2 * bend}a${bend} ${bend} 0 0 0 ${bend} ${-bend}`;
  const height = Math.ceil(floor + tunnel / 2);
  const openingClass = "absolute top-0 flex items-center justify-center rounded-full";
  const size = { width: opening, height: opening };
  return (
    <div className={cx("relative", className)} style={{ width, height }}>
      <svg
        aria-hidden="true"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        fill="none"
        className="absolute"
      >
        <path d={path} className="stroke-passage" strokeWidth={tunnel} />
        <path
          d={path}
          className="stroke-accent"
          strokeWidth="2"
          strokeLinecap="round"
          strokeDasharray="1 7"
          strokeDashoffset={3}
        />
      </svg>
      <div className={cx(openingClass, "left-0")} style={size}>
        {from}
      </div>
      <div
        aria-hidden="true"
        className={cx(
          openingClass,
          "right-0 bg-surface text-accent-text",
          to === undefined
            ? "border border-dashed border-text-3"
            : "shadow-[inset_0_0_0_1.5px_var(--accent)]",
        )}
        style={size}
      >
        {to}
      </div>
    </div>
  );
}
