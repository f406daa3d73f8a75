import type { ComponentProps, CSSProperties } from "react";
import { cx } from "../cx.ts";

interface SliderProps extends Omit<ComponentProps<"input">, "type" | "onChange" | "value"> {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The value with its unit: shown beside the slider and read by screen readers. */
  readonly text: string;
  readonly onChange: (value: number) => void;
}

/** A slider with its value in words beside it. Arrow keys move it by one step. */
export function Slider({ value, text, onChange, className, ...rest }: SliderProps) {
  const fraction = (value - rest.min) / (rest.max - rest.min);
  const style: CSSProperties & { "--fraction": number } = { "--fraction": fraction };
  return (
    <span className={cx("inline-flex items-center gap-3", className)}>
      <input
        type="range"
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        style={style}
        className="slider h-6 min-w-0 flex-1 touch:h-11"
        {...rest}
      />
      <output className="w-12 shrink-0 text-right text-compact text-text-2 tabular-nums">{text}</output>
    </span>
  );
}
