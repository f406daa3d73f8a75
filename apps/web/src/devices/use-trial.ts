import { useEffect } from "react";
import type { LocalMedia } from "../ui/device-context.tsx";
import { devicesFor } from "./device-select.tsx";
import type { MediaChoice } from "./media-choice.ts";
import { type DeviceTrialState, useDeviceTrial } from "./use-device-trial.ts";

/** Props shared by the parts of the dialog. */
export interface TrialProps {
  readonly media: LocalMedia;
  /** All devices, of every kind; null while unknown. */
  readonly devices: readonly MediaDeviceInfo[] | null;
  readonly choice: MediaChoice;
  readonly onChange: (change: Partial<MediaChoice>) => void;
  /** False closes all devices: the dialog is fading out. */
  readonly isOn: boolean;
  /** Called once a device is open, because the browser then names all devices of its kind. */
  readonly onOpened: () => void;
}

/** Tests the selected device while the dialog is open. */
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
