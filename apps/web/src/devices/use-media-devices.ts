import { useCallback, useEffect, useState } from "react";
import { usePlatform } from "../wiring/platform-context.ts";
import { stopTracks } from "./media-failure.ts";

/** The cameras, microphones and speakers of this device. */
export interface MediaDeviceList {
  /** Null while unknown. */
  readonly devices: readonly MediaDeviceInfo[] | null;
  /** Whether the browser names them, which it does only with permission. */
  readonly isNamed: boolean;
  readonly isDenied: boolean;
  /** Refreshes the list: no event reports that the browser now names the devices. */
  list(): Promise<void>;
  /** Requests camera and microphone only to get the names; both are released immediately. */
  allow(): Promise<void>;
}

/** Lists the devices; updated when one is plugged in or out. */
export function useMediaDevices(): MediaDeviceList {
  const { media } = usePlatform();
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
    // A missing device would make the whole request fail.
    const wanted = { audio: kinds.has("audioinput"), video: kinds.has("videoinput") };
    try {
      const stream = await media?.getUserMedia(wanted.audio || wanted.video ? wanted : { audio: true });
      stopTracks(stream);
      setDenied(false);
    } catch {
      setDenied(true);
    }
    await list();
  };

  const isNamed = devices?.some(({ label }) => label !== "") ?? false;
  return { devices, isNamed, isDenied, list, allow };
}
