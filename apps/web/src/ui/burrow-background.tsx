import { cx } from "./cx.ts";

/**
 * The large pale burrow behind the arrival page; omitted on phones and upright tablets, which have no space
 * for it.
 */
export function BurrowBackground({ className }: { readonly className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1440 900"
      preserveAspectRatio="xMidYMax slice"
      className={cx(
        "pointer-events-none absolute inset-0 size-full text-burrow max-md:hidden portrait:hidden",
        className,
      )}
    >
      <g fill="none" stroke="currentColor" strokeWidth="44">
        <path d="M-400 470H90a70 70 0 0 1 70 70V690a70 70 0 0 0 70 70H1260a70 70 0 0 0 70-70V450a70 70 0 0 1 70-70H1900" />
        <path d="M261 619h50a59 59 0 0 1 59 59v82" />
        <path d="M1170 399v111a60 60 0 0 0 60 60h100" />
      </g>
      <g fill="currentColor">
        <circle cx="261" cy="619" r="48" />
        <circle cx="1170" cy="399" r="50" />
        <circle cx="1330" cy="570" r="58" />
      </g>
    </svg>
  );
}
