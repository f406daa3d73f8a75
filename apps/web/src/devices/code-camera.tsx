import { useEffect, useReducer, useRef, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { openCodeReader } from "../platform/code-reader.ts";
import { delay } from "../platform/delay.ts";
import { Button } from "../ui/button.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { usePlatform } from "../wiring/platform-context.ts";
import { type MediaFailure, mediaFailureOf, stopTracks } from "./media-failure.ts";

/** The pause between two pictures, so that reading leaves the processor to the rest. */
const pauseMs = 80;

interface CodeCameraProps {
  /** Called with each code that the camera sees. */
  readonly onCode: (text: string) => void;
  /** The camera has started, or there is none: from now on the browser tells addresses as far as it will. */
  readonly onReady?: () => void;
}

/** The picture of the camera, in which codes are read. Says so where there is no camera. */
export default function CodeCamera({ onCode, onReady }: CodeCameraProps) {
  const t = useT();
  const { media } = usePlatform();
  const video = useRef<HTMLVideoElement>(null);
  const [status, setStatus] = useState<"starting" | "live" | MediaFailure>("starting");
  const [attempt, retry] = useReducer((count: number) => count + 1, 0);
  const latest = useRef({ onCode, onReady });
  useEffect(() => {
    latest.current = { onCode, onReady };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks for the camera again
  useEffect(() => {
    setStatus("starting");
    const ending = new AbortController();
    const { signal } = ending;
    const run = async (): Promise<void> => {
      if (media === null) throw new DOMException("", "NotFoundError");
      const stream = await media.getUserMedia({
        video: { facingMode: "environment", width: { ideal: 1280 } },
      });
      // It may have been closed while the browser asked.
      if (signal.aborted) return stopTracks(stream);
      signal.addEventListener("abort", () => stopTracks(stream));
      const element = video.current;
      if (element === null) return;
      element.srcObject = stream;
      await element.play();
      setStatus("live");
      latest.current.onReady?.();
      const reader = await openCodeReader();
      try {
        while (!signal.aborted) {
          const text = await reader.read(element);
          if (text !== null && !signal.aborted) latest.current.onCode(text);
          await delay(pauseMs);
        }
      } finally {
        reader.close();
      }
    };
    run().catch((thrown: unknown) => {
      if (signal.aborted) return;
      ending.abort();
      setStatus(mediaFailureOf(thrown));
      latest.current.onReady?.();
    });
    return () => ending.abort();
  }, [media, attempt]);
  return (
    <div className="relative flex h-52 items-center justify-center overflow-hidden rounded-card bg-sunken">
      <video
        ref={video}
        muted
        playsInline
        aria-label={t("meetByCode.camera")}
        hidden={status !== "live"}
        className="size-full object-cover"
      />
      {status === "starting" && (
        <p role="status" className="flex items-center gap-2 px-6 text-compact text-text-2">
          <Spinner size={16} />
          {t("media.camera.starting")}
        </p>
      )}
      {status !== "starting" && status !== "live" && (
        <div className="flex flex-col items-center gap-3 px-6 text-center text-compact text-text-2">
          <p role="status">{t(status === "missing" ? "meetByCode.noCamera" : `media.camera.${status}`)}</p>
          {status !== "missing" && (
            <Button size="sm" onClick={retry}>
              {t("media.camera.retry")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
