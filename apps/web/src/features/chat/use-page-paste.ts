import { useEffect } from "react";
import { isTyping } from "../../components/shortcuts.ts";
import { useOptions } from "../../components/warren-context.tsx";
import { dialogStore } from "../../dialogs/open-dialog.tsx";
import { isNothing, pastedItems } from "./incoming-items.ts";
import type { Send } from "./use-send.ts";

/** Sends what is pasted while no field has the focus: files as files, text into the others' clipboard inbox. */
export function usePagePaste(send: Send): void {
  const { enableClipboard } = useOptions();
  useEffect(() => {
    const listening = new AbortController();
    const onPaste = (event: ClipboardEvent): void => {
      const { clipboardData } = event;
      const isElsewhere = isTyping(event) || dialogStore.getState()?.open;
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
