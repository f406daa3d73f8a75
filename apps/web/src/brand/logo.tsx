import { cx } from "../ui/cx.ts";

interface LogoProps {
  /** Edge in px. */
  readonly size?: number;
  readonly className?: string;
}

/** Warren's logo on its tile: three openings, two burrows, one shared wall. */
export function Logo({ size = 32, className }: LogoProps) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      className={cx("shrink-0", className)}
    >
      <rect width="24" height="24" rx="6.5" className="fill-accent" />
      <path
        d="M4.5 5.5v9.25a3.75 3.75 0 0 0 7.5 0V5.5M12 5.5v5a3.75 3.75 0 0 0 7.5 0v-5"
        transform="translate(2.76 2.74) scale(.77)"
        className="fill-none stroke-on-accent"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** The logo beside the name. */
export function Wordmark({ className }: Pick<LogoProps, "className">) {
  return (
    <span className={cx("inline-flex items-center gap-3", className)}>
      <Logo size={28} />
      <span className="text-body-lg font-semibold tracking-[-0.03em] text-text">Warren</span>
    </span>
  );
}
