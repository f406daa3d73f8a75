import { type SyntheticEvent, useEffect, useRef } from "react";
import { cx } from "../ui/cx.ts";

interface StreamVideoProps {
  readonly stream: MediaStream;
  /** What it shows, for screen readers. */
  readonly label: string;
  /** As in a mirror, which is how people know themselves. */
  readonly isMirrored: boolean;
  readonly onResize?: (event: SyntheticEvent<HTMLVideoElement>) => void;
}

/** What comes from a camera or a screen, without its sound. */
export function StreamVideo({ stream, label, isMirrored, onResize }: StreamVideoProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    element.srcObject = stream;
    element.play().catch(() => {}); // stopped before it began
    return () => {
      element.srcObject = null;
    };
  }, [stream]);
  return (
    <video
      ref={video}
      muted
      playsInline
      aria-label={label}
      onResize={onResize}
      className={cx("max-h-full max-w-full object-contain", isMirrored && "-scale-x-100")}
    />
  );
}

/** A word on a picture, at its foot. */
export const chipOnPicture =
  "absolute bottom-2 max-w-[calc(100%-16px)] truncate rounded-tag bg-[rgb(10_16_13/0.66)] px-2 py-1 text-meta text-white";
