import { cx } from "./cx.ts";

const tones = { accent: "bg-accent", off: "bg-off", danger: "bg-danger" };
export type ProgressTone = keyof typeof tones;

interface ProgressProps {
  /** Progress, 0 to 1. */
  readonly value: number;
  /** What is progressing, for instance the file's name. */
  readonly label: string;
  /** The full state in words: "45%, 1.11 of 2.47 GB, 55 seconds left". */
  readonly valueText: string;
  readonly className?: string;
}

function percent(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1000) / 10;
}

function ariaValue({
  value,
  label,
  valueText,
}: Pick<ProgressProps, "value" | "label"> & { readonly valueText: string | undefined }) {
  return {
    "aria-label": label,
    "aria-valuemin": 0,
    "aria-valuemax": 100,
    "aria-valuenow": Math.round(percent(value)),
    "aria-valuetext": valueText,
  };
}

/**
 * A progress bar of 4 px: accent while moving, `off` while stopped, red after a failure. `meter` is for a
 * value that goes up and down.
 */
export function ProgressBar({
  role = "progressbar",
  value,
  label,
  valueText,
  tone = "accent",
  className,
}: ProgressProps & { readonly role?: "progressbar" | "meter"; readonly tone?: ProgressTone }) {
  const meaning = { role, ...ariaValue({ value, label, valueText }) };
  return (
    <div
      {...meaning}
      className={cx(
        "h-1 overflow-hidden rounded-full bg-track forced-colors:bg-[Canvas] forced-colors:outline-1",
        className,
      )}
    >
      {/* Translated, not resized: that needs no layout. No transition between steps: it would make
          the browser paint constantly, at the cost of transfer throughput. */}
      <div
        className={cx("h-full rounded-full", tones[tone])}
        style={{ translate: `${percent(value) - 100}%` }}
      />
    </div>
  );
}

/**
 * Progress as a ring, 14 px in a row and 18 px in the rail. Without `label` it is decorative, beside text
 * that states it.
 */
export function ProgressRing({
  value,
  label,
  valueText,
  size = 14,
}: Pick<ProgressProps, "value"> & {
  readonly label?: string;
  readonly valueText?: string;
  readonly size?: number;
}) {
  const meaning =
    label === undefined
      ? { "aria-hidden": true }
      : { role: "progressbar", ...ariaValue({ value, label, valueText }) };
  const strokeWidth = size <= 16 ? 3.5 : 3;
  return (
    <span {...meaning} className="inline-flex shrink-0 text-accent">
      <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill="none">
        <circle className="stroke-track" cx="12" cy="12" r="10" strokeWidth={strokeWidth} />
        {value > 0 && (
          <circle
            cx="12"
            cy="12"
            r="10"
            pathLength="100"
            stroke="currentColor"
            strokeDasharray={`${percent(value)} 100`}
            strokeWidth={strokeWidth}
            transform="rotate(-90 12 12)"
          />
        )}
      </svg>
    </span>
  );
}
