import type { Options } from "@warren/core";

/** The options of devices and their sound. */
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

/** The chosen values. */
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

/** The video constraints for `getUserMedia`; the browser chooses the size unless `size` is given. */
export function cameraConstraints(
  { cameraId }: MediaChoice,
  size?: MediaTrackConstraints,
): MediaStreamConstraints {
  if (cameraId === null) return { video: size ?? true };
  return { video: { ...wished(cameraId), ...size } };
}

/** The audio constraints for `getUserMedia`. Browsers ignore unknown ones. */
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

/** The options for `getDisplayMedia`: a screen, and its sound if the user adds it. */
export function screenConstraints({ suppressLocalAudioPlayback }: MediaChoice): DisplayMediaStreamOptions {
  // Sharing this tab would show it within itself, endlessly.
  const excludesItself: object = { selfBrowserSurface: "exclude" };
  return { video: { frameRate: { ideal: 30 } }, audio: { suppressLocalAudioPlayback }, ...excludesItself };
}

/** A preference: another device is better than none if this one is not plugged in. */
function wished(deviceId: string): MediaTrackConstraints {
  return { deviceId: { ideal: deviceId } };
}
