import { useClock } from "../ui/hooks/use-clock.ts";

const secondMs = 1_000;

interface CallTimeProps {
  /** In ms since the epoch. */
  readonly sinceMs: number;
}

/** How long a call has lasted: "2:05". Screen readers read it when asked to. */
export function CallTime({ sinceMs }: CallTimeProps) {
  const nowMs = useClock(secondMs);
  return (
    <span role="timer" className="shrink-0 tabular-nums">
      {clockText(nowMs - sinceMs)}
    </span>
  );
}

function clockText(elapsedMs: number): string {
  // The machine's clock may be set back meanwhile.
  const total = Math.max(0, Math.floor(elapsedMs / secondMs));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return hours === 0 ? `${minutes}:${two(seconds)}` : `${hours}:${two(minutes)}:${two(seconds)}`;
}
