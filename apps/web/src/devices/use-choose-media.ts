import type { Options } from "@warren/core";
import { openDialog } from "../wiring/dialogs/open-dialog.ts";
import { lazyWithPreload } from "../wiring/lazy-with-preload.ts";
import { useWarren } from "../wiring/warren-context.ts";
import type { MediaChoice } from "./media-choice.ts";

const MediaDialog = lazyWithPreload(() => import("./media-dialog.tsx"));

/** Lets the user test and select devices, and stores the choice; resolves once the dialog has closed. */
export function useChooseMedia(): () => Promise<void> {
  const { settings } = useWarren();
  return async () => {
    const result = await openDialog(MediaDialog, { choice: mediaChoiceOf(settings.get()) });
    if (!result.cancelled) settings.update(result.value);
  };
}

/** The current values of these options. */
function mediaChoiceOf(options: Options): MediaChoice {
  return {
    cameraId: options.cameraId,
    microphoneId: options.microphoneId,
    speakerId: options.speakerId,
    noiseSuppression: options.noiseSuppression,
    echoCancellation: options.echoCancellation,
    autoGainControl: options.autoGainControl,
    voiceIsolation: options.voiceIsolation,
    suppressLocalAudioPlayback: options.suppressLocalAudioPlayback,
  };
}
