import { cx } from "./cx.ts";

interface SpinnerProps {
  /** Edge length in px. */
  readonly size?: number;
  readonly className?: string;
}

/** A static three-quarter ring in place of any spinner under reduced motion. */
function StillRing() {
  return (
    <circle
      className="hidden motion-reduce:block"
      cx="12"
      cy="12"
      r="9"
      pathLength="100"
      strokeDasharray="75 100"
      strokeWidth="3"
    />
  );
}

/** A spinning quarter ring. Decorative: the text beside it describes the activity. */
export function Spinner({ size = 14, className }: SpinnerProps) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      // Rotates the whole picture: browsers would repaint a rotating part of it in every frame.
      className={cx("shrink-0 motion-safe:animate-turn", className)}
    >
      <circle className="opacity-20 motion-reduce:hidden" cx="12" cy="12" r="9.5" strokeWidth="3.5" />
      <circle
        className="motion-reduce:hidden"
        cx="12"
        cy="12"
        r="9.5"
        pathLength="100"
        strokeDasharray="27 100"
        strokeLinecap="round"
        strokeWidth="3.5"
      />
      <StillRing />
    </svg>
  );
}

const leafAngles = [0, 45, 90, 135, 180, 225, 270, 315];

/** The spinner of eight leaves, on the join and leave button while the service connects. */
export function LeafSpinner({ size = 14 }: Pick<SpinnerProps, "size">) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      className="shrink-0"
    >
      <g strokeWidth="2.75" className="motion-reduce:hidden">
        {leafAngles.map((angle) => (
          <path key={angle} className="leaf" d="M12 2.5v4.5" transform={`rotate(${angle} 12 12)`} />
        ))}
      </g>
      <StillRing />
    </svg>
  );
}
