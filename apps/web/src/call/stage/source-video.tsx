import type { Call, SourceKey } from "@warren/core";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { cx } from "../../ui/cx.ts";
import { observeSize } from "../../ui/observe-size.ts";

interface SourceVideoProps {
  readonly call: Call;
  readonly track: MediaStreamTrack;
  /** Null for my own: only remote sources are told how large they are shown. */
  readonly sourceKey: SourceKey | null;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The label for screen readers. */
  readonly label: string;
  /** A face may be cropped to fill its tile; a screen is shown completely. */
  readonly fit: "cover" | "contain";
  readonly isMirrored?: boolean;
  /** Changes when the picture is scaled without its element being resized. */
  readonly scale?: number;
  /** The window it is in, if not the page's; visible as long as that is open. */
  readonly pipWindow?: Window;
  readonly videoRef?: RefObject<HTMLVideoElement | null>;
  /** What covers it until its first frame, and then fades. */
  readonly placeholder?: ReactNode;
}

/** Plays a picture without its sound, and reports to its sender how large it is shown. */
export function SourceVideo(props: SourceVideoProps) {
  const {
    call,
    track,
    sourceKey,
    width,
    height,
    label,
    fit,
    isMirrored = false,
    scale = 1,
    pipWindow,
    placeholder,
  } = props;
  const ownRef = useRef<HTMLVideoElement>(null);
  const video = props.videoRef ?? ownRef;
  const [begun, setBegun] = useState<MediaStreamTrack | null>(null);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    element.srcObject = new MediaStream([track]);
    element.play().catch(() => {}); // removed before it started
    return () => {
      element.srcObject = null;
    };
  }, [track, video]);
  useEffect(() => {
    const element = video.current;
    if (element === null || sourceKey === null) return;
    const viewer = {};
    const report = (): void => {
      const isInPicture = document.pictureInPictureElement === element;
      const isSeen = pipWindow || document.visibilityState === "visible" || isInPicture;
      const box = { width: element.clientWidth * scale, height: element.clientHeight * scale };
      call.show(sourceKey, viewer, isSeen && box.width > 0 ? shownSize(box, { width, height }, fit) : null);
    };
    const stop = observeSize(element, report);
    const listening = new AbortController();
    document.addEventListener("visibilitychange", report, { signal: listening.signal });
    // Observers of a hidden page do not fire.
    pipWindow?.addEventListener("resize", report, { signal: listening.signal });
    for (const type of ["enterpictureinpicture", "leavepictureinpicture"])
      element.addEventListener(type, report, { signal: listening.signal });
    report();
    return () => {
      stop();
      listening.abort();
      call.show(sourceKey, viewer, null);
    };
  }, [call, sourceKey, width, height, fit, scale, video, pipWindow]);
  return (
    <>
      <video
        ref={video}
        muted
        playsInline
        autoPlay
        aria-label={label}
        onLoadedData={() => setBegun(track)}
        className={cx(
          "size-full",
          // Faces are above the middle of a high picture.
          fit === "cover" ? "object-cover object-[50%_35%]" : "object-contain",
          isMirrored && "-scale-x-100",
        )}
      />
      {placeholder !== undefined && (
        <div className={cx("transition-opacity duration-200", begun === track && "opacity-0")}>
          {placeholder}
        </div>
      )}
    </>
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size in device pixels of the whole picture, including cropped parts. */
function shownSize(box: Size, picture: Size, fit: "cover" | "contain"): Size {
  const ratio = window.devicePixelRatio;
  if (picture.width === 0 || picture.height === 0)
    return { width: Math.round(box.width * ratio), height: Math.round(box.height * ratio) };
  const ratios = [box.width / picture.width, box.height / picture.height];
  const scale = (fit === "cover" ? Math.max(...ratios) : Math.min(...ratios)) * ratio;
  return { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) };
}
