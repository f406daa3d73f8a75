import type { OnlineStatus } from "@warren/core";
import { cx } from "../ui/cx.ts";

interface StatusDotProps {
  readonly status: OnlineStatus;
  readonly className?: string;
}

/**
 * A status shown by shape: a filled dot, an open arc, a hollow ring. 9 px, with a gap of 2 px in the colour
 * of the custom property `--ground`, which a row sets to its own background (`surface` when unset).
 */
export function StatusDot({ status, className }: StatusDotProps) {
  return (
    <svg
      aria-hidden="true"
      data-status={status}
      width="13"
      height="13"
      viewBox="0 0 13 13"
      fill="none"
      className={cx("shrink-0 rounded-full bg-[var(--ground,var(--surface))]", className)}
    >
      {status === "online" && <circle className="fill-live" cx="6.5" cy="6.5" r="4.5" />}
      {status === "offline" && <circle className="stroke-off" cx="6.5" cy="6.5" r="3.5" strokeWidth="2.25" />}
      {(status === "connecting" || status === "reconnecting") && (
        <circle
          className="stroke-warn-dot"
          cx="6.5"
          cy="6.5"
          r="3.5"
          pathLength="100"
          strokeDasharray="62 100"
          strokeWidth="2.5"
          transform="rotate(-65 6.5 6.5)"
        />
      )}
    </svg>
  );
}
