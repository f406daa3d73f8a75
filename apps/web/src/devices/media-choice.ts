import type { Options } from "@warren/core";

/** The options about devices, and about what becomes of their sound. */
export type MediaChoice = Pick<
  Options,
  | "cameraId"
  | "microphoneId"
  | "speakerId"
  | "noiseSuppression"
  | "echoCancellation"
  | "autoGainControl"
  | "voiceIsolation"
  | "suppressLocalAudioPlayback"
>;

/** What is chosen among all options. */
export function mediaChoiceOf(options: Options): MediaChoice {
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

/** What `getUserMedia` is asked for the picture; as large as the browser likes unless `size` says otherwise. */
export function cameraConstraints(
  { cameraId }: MediaChoice,
  size?: MediaTrackConstraints,
): MediaStreamConstraints {
  if (cameraId === null) return { video: size ?? true };
  return { video: { ...wished(cameraId), ...size } };
}

/** What `getUserMedia` is asked for the sound. A browser leaves out what it does not know. */
export function microphoneConstraints(choice: MediaChoice): MediaStreamConstraints {
  const { microphoneId, noiseSuppression, echoCancellation, autoGainControl, voiceIsolation } = choice;
  return {
    audio: {
      ...(microphoneId !== null && wished(microphoneId)),
      noiseSuppression,
      echoCancellation,
      autoGainControl,
      voiceIsolation,
    },
  };
}

/** What `getDisplayMedia` is asked for: a screen, and its sound where the person adds it. */
export function screenConstraints({ suppressLocalAudioPlayback }: MediaChoice): DisplayMediaStreamOptions {
  // Whoever shared this very tab would see it within itself, without end.
  const excludesItself: object = { selfBrowserSurface: "exclude" };
  return { video: { frameRate: { ideal: 30 } }, audio: { suppressLocalAudioPlayback }, ...excludesItself };
}

/** Only wished for: another device is better than none when this one is not plugged in. */
function wished(deviceId: string): MediaTrackConstraints {
  return { deviceId: { ideal: deviceId } };
}
