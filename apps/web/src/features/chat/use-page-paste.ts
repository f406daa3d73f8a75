import { useEffect } from "react";
import { useOptions } from "../../components/warren-context.tsx";
import { dialogStore } from "../../dialogs/open-dialog.tsx";
import { isNothing, pastedItems } from "./incoming-items.ts";
import type { Send } from "./use-send.ts";

const editable = "input, textarea, select, [contenteditable]";

/** Sends what is pasted while no field has the focus: files as files, text into the others' clipboard inbox. */
export function usePagePaste(send: Send): void {
  const { enableClipboard } = useOptions();
  useEffect(() => {
    const listening = new AbortController();
    const onPaste = (event: ClipboardEvent): void => {
      const { target, clipboardData } = event;
      const isElsewhere =
        (target instanceof Element && target.closest(editable) !== null) || dialogStore.getState()?.open;
      if (isElsewhere || clipboardData === null) return;
      const items = pastedItems(clipboardData);
      const text = clipboardData.getData("text/plain");
      if (!isNothing(items)) void send.items(items);
      else if (enableClipboard && text.trim() !== "") send.clipboard(text);
      else return;
      event.preventDefault();
    };
    document.addEventListener("paste", onPaste, { signal: listening.signal });
    return () => listening.abort();
  }, [send, enableClipboard]);
}
