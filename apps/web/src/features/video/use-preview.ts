import { useEffect, useRef, useState } from "react";
import { type LocalMedia, useDevice } from "../../components/device-context.tsx";
import { useWarren } from "../../components/warren-context.tsx";

/** What can be looked at. */
export type PreviewSource = "screen" | "camera";

/** Why a preview did not start. */
export type PreviewFailure =
  | { readonly kind: "denied" | "missing" | "no-screen" }
  | { readonly kind: "failed"; readonly reason: string };

/** The preview of one's own screen or camera. */
export type PreviewState =
  | { readonly status: "none"; readonly failure: PreviewFailure | null }
  | { readonly status: "starting"; readonly source: PreviewSource }
  | { readonly status: "shown"; readonly source: PreviewSource; readonly stream: MediaStream };

/** A local preview: it goes nowhere, and its devices are let go when it stops or the page is left. */
export function usePreview(): {
  readonly preview: PreviewState;
  start(source: PreviewSource): Promise<void>;
  stop(): void;
} {
  const { media } = useDevice();
  const { settings } = useWarren();
  const [preview, setPreview] = useState<PreviewState>({ status: "none", failure: null });
  const open = useRef<MediaStream | null>(null);
  const isLeft = useRef(false);

  const letGo = (): void => {
    for (const track of open.current?.getTracks() ?? []) track.stop();
    open.current = null;
  };
  const stop = (): void => {
    letGo();
    setPreview({ status: "none", failure: null });
  };

  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      for (const track of open.current?.getTracks() ?? []) track.stop();
    };
  }, []);

  const start = async (source: PreviewSource): Promise<void> => {
    if (media === null || preview.status === "starting") return;
    letGo();
    setPreview({ status: "starting", source });
    try {
      const stream = await capture(media, source, settings.get().cameraId);
      open.current = stream;
      if (isLeft.current) return letGo();
      // The browser's own bar can end a shared screen, and a camera can be pulled out.
      stream.getVideoTracks()[0]?.addEventListener("ended", () => {
        if (open.current === stream) stop();
      });
      setPreview({ status: "shown", source, stream });
    } catch (thrown) {
      setPreview({ status: "none", failure: failureOf(thrown) });
    }
  };

  return { preview, start, stop };
}

async function capture(
  media: LocalMedia,
  source: PreviewSource,
  cameraId: string | null,
): Promise<MediaStream> {
  if (source === "camera") {
    // Only wished for: another camera is better than none when this one is not plugged in.
    return await media.getUserMedia({ video: cameraId === null ? true : { deviceId: { ideal: cameraId } } });
  }
  // Missing on phones, whatever the types say.
  const { getDisplayMedia }: Partial<LocalMedia> = media;
  if (getDisplayMedia === undefined) throw new NoScreen();
  return await getDisplayMedia.call(media, { video: true });
}

class NoScreen extends Error {}

function failureOf(thrown: unknown): PreviewFailure {
  if (thrown instanceof NoScreen) return { kind: "no-screen" };
  const name = thrown instanceof Error ? thrown.name : "";
  if (name === "NotAllowedError" || name === "AbortError") return { kind: "denied" };
  if (name === "NotFoundError") return { kind: "missing" };
  return { kind: "failed", reason: thrown instanceof Error ? thrown.message : String(thrown) };
}
