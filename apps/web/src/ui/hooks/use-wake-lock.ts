import { useEffect } from "react";

/**
 * Keeps the screen on while `wanted`. Browsers release the lock whenever the page is hidden, so it is
 * requested again afterwards.
 */
export function useWakeLock(wanted: boolean): void {
  useEffect(() => {
    // Missing in older browsers and outside secure contexts, despite the types.
    const wakeLock: WakeLock | undefined = navigator.wakeLock;
    if (!wanted || wakeLock === undefined) return;
    let isWanted = true;
    let held: WakeLockSentinel | null = null;
    const request = async (): Promise<void> => {
      if (document.visibilityState !== "visible" || (held && !held.released)) return;
      try {
        const sentinel = await wakeLock.request("screen");
        if (isWanted) held = sentinel;
        else await sentinel.release();
      } catch (failure) {
        // A low battery refuses it, for example; transfers continue without it.
        // biome-ignore lint/suspicious/noConsole: the user cannot act on it, but it helps when debugging
        console.info("the screen is not kept on", failure);
      }
    };
    const onVisible = (): void => void request();
    void request();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      isWanted = false;
      document.removeEventListener("visibilitychange", onVisible);
      void held?.release();
    };
  }, [wanted]);
}
