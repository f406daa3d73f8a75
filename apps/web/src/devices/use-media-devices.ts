import { useCallback, useEffect, useState } from "react";
import { useDevice } from "../ui/device-context.tsx";
import { letGo } from "./media-failure.ts";

/** The cameras, microphones and speakers of this device. */
export interface MediaDeviceList {
  /** Null while unknown. */
  readonly devices: readonly MediaDeviceInfo[] | null;
  /** Whether the browser names them: only once their use has been allowed. */
  readonly isNamed: boolean;
  readonly isDenied: boolean;
  /** Lists them again: no event reports that the browser now names them. */
  list(): Promise<void>;
  /** Asks for camera and microphone, for their names alone: both are let go at once. */
  allow(): Promise<void>;
}

/** Lists the devices, and again when one is plugged in or out. */
export function useMediaDevices(): MediaDeviceList {
  const { media } = useDevice();
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[] | null>(null);
  const [isDenied, setDenied] = useState(false);

  const list = useCallback(async () => {
    setDevices((await media?.enumerateDevices().catch(() => [])) ?? null);
  }, [media]);

  useEffect(() => {
    const relist = (): void => void list();
    relist();
    media?.addEventListener("devicechange", relist);
    return () => media?.removeEventListener("devicechange", relist);
  }, [media, list]);

  const allow = async (): Promise<void> => {
    const kinds = new Set(devices?.map(({ kind }) => kind));
    // A device that is not there would make the whole request fail.
    const wanted = { audio: kinds.has("audioinput"), video: kinds.has("videoinput") };
    try {
      const stream = await media?.getUserMedia(wanted.audio || wanted.video ? wanted : { audio: true });
      letGo(stream);
      setDenied(false);
    } catch {
      setDenied(true);
    }
    await list();
  };

  const isNamed = devices?.some(({ label }) => label !== "") ?? false;
  return { devices, isNamed, isDenied, list, allow };
}
