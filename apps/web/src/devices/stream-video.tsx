import { type SyntheticEvent, useEffect, useRef } from "react";
import { cx } from "../ui/cx.ts";

interface StreamVideoProps {
  readonly stream: MediaStream;
  /** The label for screen readers. */
  readonly label: string;
  /** Mirrored, as people know their own face. */
  readonly isMirrored: boolean;
  readonly onResize?: (event: SyntheticEvent<HTMLVideoElement>) => void;
}

/** Plays the picture of a camera or a screen, without its sound. */
export function StreamVideo({ stream, label, isMirrored, onResize }: StreamVideoProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    element.srcObject = stream;
    element.play().catch(() => {}); // stopped before it started
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

/** A label at the bottom of a picture. */
export const chipOnPicture =
  "absolute bottom-2 max-w-[calc(100%-16px)] truncate rounded-tag bg-[rgb(10_16_13/0.66)] px-2 py-1 text-meta text-white";
