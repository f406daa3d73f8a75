import { useEffect } from "react";
import { playSound } from "../platform/play-sound.ts";

const everyMs = 3_000;

/** Rings, and lets a phone vibrate, while `isOn`. */
export function useRingSound(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ring = (): void => {
      playSound("ring");
      // Missing in Firefox and Safari, whatever the types say.
      const { vibrate }: Partial<Navigator> = navigator;
      vibrate?.call(navigator, [200, 100, 200]);
    };
    ring();
    const timer = setInterval(ring, everyMs);
    return () => clearInterval(timer);
  }, [isOn]);
}
