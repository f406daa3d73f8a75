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

/** Texts that wait for the window's focus, the oldest first. */
const queue: string[] = [];
/** The writing of what waited; writes that come meanwhile follow it. */
let draining: Promise<void> = Promise.resolve();

/** Writes a text to the clipboard. What is refused because the window has no focus is written when it has, all in order. */
export async function writeClipboard(text: string): Promise<ClipboardWrite> {
  // The DOM types promise a clipboard; outside a secure context there is none.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return { status: "unsupported" };
  await draining;
  // Behind those that wait: it would be overwritten by them.
  if (queue.length > 0) return enqueue(text);
  try {
    await clipboard.writeText(text);
    return { status: "written" };
  } catch (failure) {
    if (!document.hasFocus()) return enqueue(text);
    return { status: "failed", reason: failure instanceof Error ? failure.message : String(failure) };
  }
}

function enqueue(text: string): ClipboardWrite {
  queue.push(text);
  if (queue.length === 1) window.addEventListener("focus", startDraining);
  return { status: "queued" };
}

function startDraining(): void {
  draining = draining.then(drain);
}

async function drain(): Promise<void> {
  for (let [text] = queue; text !== undefined; [text] = queue) {
    try {
      // The focus may come and go: what was refused between two of its moments is tried once more.
      await navigator.clipboard.writeText(text).catch(() => navigator.clipboard.writeText(text));
    } catch {
      if (!document.hasFocus()) return; // it waits for the next time
      // Refused with focus too: nobody waits for it any more, and the next may be allowed.
    }
    queue.shift();
  }
  window.removeEventListener("focus", startDraining);
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
