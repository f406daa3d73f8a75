import { useEffect, useRef, useState } from "react";
import type { LocalMedia } from "../wiring/platform-context.ts";
import { devicesFor } from "./device-select.tsx";
import type { MediaChoice } from "./media-choice.ts";
import { type MediaFailure, mediaFailureOf, stopTracks } from "./media-failure.ts";

/** A camera or a microphone that is being tested. */
export type DeviceTrial =
  | { readonly status: "off" | "starting" }
  | { readonly status: "live"; readonly stream: MediaStream }
  | { readonly status: "failed"; readonly kind: MediaFailure | "unplugged" };

/** The test, and how to restart it. */
export interface DeviceTrialState {
  readonly trial: DeviceTrial;
  retry(): void;
}

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

/**
 * Opens a device while constraints are given, reopens it when they change, and releases it at the end.
 * Retries after a failure when another device is plugged in.
 * @param constraints null: nothing is opened.
 * @param deviceCount the number of devices of the kind; null while unknown.
 */
function useDeviceTrial(
  media: LocalMedia,
  constraints: MediaStreamConstraints | null,
  deviceCount: number | null,
): DeviceTrialState {
  const [trial, setTrial] = useState<DeviceTrial>({ status: "off" });
  const [attempt, setAttempt] = useState(0);
  const retry = () => setAttempt((last) => last + 1);
  // As text, so that equal constraints do not reopen the device.
  const question = JSON.stringify({ constraints, attempt });

  useEffect(() => {
    const asked: { readonly constraints: MediaStreamConstraints | null } = JSON.parse(question);
    if (asked.constraints === null) {
      setTrial({ status: "off" });
      return;
    }
    let isOver = false;
    let stream: MediaStream | undefined;
    const open = async (wanted: MediaStreamConstraints): Promise<void> => {
      setTrial({ status: "starting" });
      try {
        stream = await media.getUserMedia(wanted);
        if (isOver) return stopTracks(stream);
        for (const track of stream.getTracks()) {
          track.addEventListener("ended", () => {
            if (!isOver) setTrial({ status: "failed", kind: "unplugged" });
          });
        }
        setTrial({ status: "live", stream });
      } catch (thrown) {
        if (!isOver) setTrial({ status: "failed", kind: mediaFailureOf(thrown) });
      }
    };
    void open(asked.constraints);
    return () => {
      isOver = true;
      stopTracks(stream);
    };
  }, [media, question]);

  const countBefore = useRef(deviceCount);
  const isFailed = trial.status === "failed";
  useEffect(() => {
    const before = countBefore.current;
    countBefore.current = deviceCount;
    if (isFailed && before !== null && deviceCount !== null && deviceCount > before)
      setAttempt((last) => last + 1);
  }, [deviceCount, isFailed]);

  return { trial, retry };
}
