/** How writing to the clipboard ended; a text that could not be written yet is written when the window has focus again. */
export type ClipboardWrite =
  | { readonly status: "written" }
  | { readonly status: "queued" }
  /** The page is not in a secure context, where browsers offer no clipboard. */
  | { readonly status: "unsupported" }
  | { readonly status: "failed"; readonly reason: string };

/** How reading the clipboard ended. */
export type ClipboardRead =
  | { readonly status: "read"; readonly text: string }
  | { readonly status: "unsupported" }
  | { readonly status: "denied" };

let cancelQueued: AbortController | undefined;

/** Writes a text to the clipboard. Only the newest text waits for the focus. */
export async function writeClipboard(text: string): Promise<ClipboardWrite> {
  cancelQueued?.abort();
  // The DOM types promise a clipboard; outside a secure context there is none.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return { status: "unsupported" };
  try {
    await clipboard.writeText(text);
    return { status: "written" };
  } catch (failure) {
    if (!document.hasFocus()) {
      writeOnFocus(text);
      return { status: "queued" };
    }
    return { status: "failed", reason: failure instanceof Error ? failure.message : String(failure) };
  }
}

/** Reads the clipboard's text; a browser may ask the person first. Call it from what they pressed. */
export async function readClipboard(): Promise<ClipboardRead> {
  // As above; Firefox before 125 writes but does not read.
  const clipboard: Partial<Clipboard> | undefined = navigator.clipboard;
  if (clipboard?.readText === undefined) return { status: "unsupported" };
  try {
    return { status: "read", text: await clipboard.readText() };
  } catch {
    return { status: "denied" };
  }
}

function writeOnFocus(text: string): void {
  const queued = new AbortController();
  cancelQueued = queued;
  const write = (): void => {
    queued.abort();
    navigator.clipboard.writeText(text).catch(() => {}); // refused with focus too: nobody waits for it any more
  };
  window.addEventListener("focus", write, { signal: queued.signal });
}
