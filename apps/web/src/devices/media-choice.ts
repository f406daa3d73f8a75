import type { Options } from "@warren/core";

/** The options about devices and their sound. */
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

/** The video constraints for `getUserMedia`; the browser chooses the size unless `size` is given. */
export function cameraConstraints(
  { cameraId }: MediaChoice,
  size?: MediaTrackConstraints,
): MediaStreamConstraints {
  if (cameraId === null) return { video: size ?? true };
  return { video: { ...preferred(cameraId), ...size } };
}

/** The audio constraints for `getUserMedia`. Browsers ignore unknown ones. */
export function microphoneConstraints(choice: MediaChoice): MediaStreamConstraints {
  const { microphoneId, noiseSuppression, echoCancellation, autoGainControl, voiceIsolation } = choice;
  return {
    audio: {
      ...(microphoneId !== null && preferred(microphoneId)),
      noiseSuppression,
      echoCancellation,
      autoGainControl,
      voiceIsolation,
    },
  };
}

/** The options for `getDisplayMedia`: a screen, and its sound if the user adds it. */
export function screenConstraints({ suppressLocalAudioPlayback }: MediaChoice): DisplayMediaStreamOptions {
  // Sharing this tab would show it recursively within itself.
  const excludesItself: object = { selfBrowserSurface: "exclude" };
  return { video: { frameRate: { ideal: 30 } }, audio: { suppressLocalAudioPlayback }, ...excludesItself };
}

/** A preference, not a requirement: any device is better than none if this one is not plugged in. */
function preferred(deviceId: string): MediaTrackConstraints {
  return { deviceId: { ideal: deviceId } };
}
