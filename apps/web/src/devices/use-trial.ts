import { useEffect } from "react";
import type { LocalMedia } from "../ui/device-context.tsx";
import { devicesFor } from "./device-select.tsx";
import type { MediaChoice } from "./media-choice.ts";
import { type DeviceTrialState, useDeviceTrial } from "./use-device-trial.ts";

/** What the parts of the dialog share. */
export interface TrialProps {
  readonly media: LocalMedia;
  /** All devices, of every kind; null while unknown. */
  readonly devices: readonly MediaDeviceInfo[] | null;
  readonly choice: MediaChoice;
  readonly onChange: (change: Partial<MediaChoice>) => void;
  /** Off, nothing is open: the dialog fades out. */
  readonly isOn: boolean;
  /** Called once a device is open: from then on the browser names those of its kind. */
  readonly onOpened: () => void;
}

/** Tries the device that is chosen, for as long as the dialog is open. */
export function useTrial(
  word: "camera" | "microphone",
  constraints: (choice: MediaChoice) => MediaStreamConstraints,
  { media, devices, choice, isOn, onOpened }: TrialProps,
): DeviceTrialState {
  const { trial, retry } = useDeviceTrial(
    media,
    isOn ? constraints(choice) : null,
    devices && devicesFor(word, devices).length,
  );
  const isLive = trial.status === "live";
  useEffect(() => {
    if (isLive) onOpened();
  }, [isLive, onOpened]);
  return { trial, retry };
}
