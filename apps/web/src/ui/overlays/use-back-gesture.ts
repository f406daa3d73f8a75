import { useEffect, useEffectEvent } from "react";

/**
 * Does what Back means on the screen of a phone while something is open over the page: closes that, and stays on the page. The
 * newest comes first. Only for fingers, because the browser's close watcher hears Escape too, which has handlers of its own.
 */
export function useBackGesture(close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => {
    if (typeof CloseWatcher === "undefined" || !matchMedia("(pointer: coarse)").matches) return;
    let watcher: CloseWatcher;
    const watch = (): void => {
      watcher = new CloseWatcher();
      // A watcher hears Back once, and what it closed may still be open, such as after a question.
      watcher.addEventListener("close", () => {
        watch();
        onBack();
      });
    };
    watch();
    return () => watcher.destroy();
  }, []);
}
