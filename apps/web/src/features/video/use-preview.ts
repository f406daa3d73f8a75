import { useEffect, useRef, useState } from "react";
import { type LocalMedia, useDevice } from "../../components/device-context.tsx";
import {
  cameraConstraints,
  type MediaChoice,
  mediaChoiceOf,
  screenConstraints,
} from "../../components/media/media-choice.ts";
import { letGo, type MediaFailure, mediaFailureOf } from "../../components/media/media-failure.ts";
import { useWarren } from "../../components/warren-context.tsx";

/** What can be looked at. */
export type PreviewSource = "screen" | "camera";

/** Why a preview did not start. */
export type PreviewFailure =
  | MediaFailure
  | { readonly kind: "no-screen" | "screen-denied" | "screen-failed" };

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

  const close = (): void => {
    letGo(open.current);
    open.current = null;
  };
  const stop = (): void => {
    close();
    setPreview({ status: "none", failure: null });
  };

  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      letGo(open.current);
    };
  }, []);

  const start = async (source: PreviewSource): Promise<void> => {
    if (media === null || isLeft.current || preview.status === "starting") return;
    close();
    setPreview({ status: "starting", source });
    try {
      const stream = await capture(media, source, mediaChoiceOf(settings.get()));
      open.current = stream;
      if (isLeft.current) return close();
      // The browser's own bar can end a shared screen, and a camera can be pulled out.
      stream.getVideoTracks()[0]?.addEventListener("ended", () => {
        if (open.current === stream) stop();
      });
      setPreview({ status: "shown", source, stream });
    } catch (thrown) {
      setPreview({ status: "none", failure: failureOf(thrown, source) });
    }
  };

  return { preview, start, stop };
}

async function capture(media: LocalMedia, source: PreviewSource, choice: MediaChoice): Promise<MediaStream> {
  if (source === "camera") return await media.getUserMedia(cameraConstraints(choice));
  // Missing on phones, whatever the types say.
  const { getDisplayMedia }: Partial<LocalMedia> = media;
  if (getDisplayMedia === undefined) throw new NoScreen();
  return await getDisplayMedia.call(media, screenConstraints(choice));
}

class NoScreen extends Error {}

function failureOf(thrown: unknown, source: PreviewSource): PreviewFailure {
  if (thrown instanceof NoScreen) return { kind: "no-screen" };
  const failure = mediaFailureOf(thrown);
  if (source === "camera") return failure;
  // Of a screen only a no is known well enough to be put into words.
  return { kind: failure.kind === "denied" ? "screen-denied" : "screen-failed" };
}
