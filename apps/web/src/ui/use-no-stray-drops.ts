import { useEffect } from "react";

/**
 * Prevents the browser from opening a file that is dropped outside a drop target, which would replace the
 * page.
 */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const listening = new AbortController();
    const refuse = (event: DragEvent): void => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    };
    window.addEventListener("dragover", refuse, { signal: listening.signal });
    window.addEventListener("drop", refuse, { signal: listening.signal });
    return () => listening.abort();
  }, []);
}
