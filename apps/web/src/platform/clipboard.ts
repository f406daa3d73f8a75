/** How writing to the clipboard ended; a text that could not be written yet is written when it can be. */
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

/** Texts that wait until they can be written, the oldest first. */
const queue: string[] = [];
/** The pending writes, in order. */
let draining: Promise<void> = Promise.resolve();
/** Listens for what may let a refused write pass: the focus comes back, or a person presses something. */
let waiting: AbortController | null = null;

/**
 * Writes a text to the clipboard. What is refused because the window has no focus is written when it has, or at the next
 * press where the browser wants one; all in order.
 */
export async function writeClipboard(text: string): Promise<ClipboardWrite> {
  // The DOM types promise a clipboard; outside a secure context there is none.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return { status: "unsupported" };
  await draining;
  // Behind the pending texts, which would overwrite it.
  if (queue.length > 0) return enqueue(text);
  const hadFocus = document.hasFocus();
  try {
    await clipboard.writeText(text);
    return { status: "written" };
  } catch (failure) {
    if (!hadFocus || !document.hasFocus()) return enqueue(text);
    return { status: "failed", reason: failure instanceof Error ? failure.message : String(failure) };
  }
}

function enqueue(text: string): ClipboardWrite {
  queue.push(text);
  if (waiting === null) {
    waiting = new AbortController();
    for (const type of ["focus", "pointerup", "keydown"]) {
      window.addEventListener(type, startDraining, { signal: waiting.signal, capture: true });
    }
    // The focus may have come back while the text was refused.
    if (document.hasFocus()) startDraining();
  }
  return { status: "queued" };
}

function startDraining(): void {
  draining = draining.then(drain);
}

async function drain(): Promise<void> {
  for (let [text] = queue; text !== undefined; [text] = queue) {
    const mayWrite = isPressed();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // The focus comes and goes, and some browsers want a press besides: it waits for the next of either.
      if (!mayWrite || !isPressed()) return;
      // Refused right after a press too: nothing else will help, and the next may be allowed.
    }
    queue.shift();
  }
  waiting?.abort();
  waiting = null;
}

/** Whether a browser that writes for this page at all would write now. */
function isPressed(): boolean {
  return document.hasFocus() && navigator.userActivation.isActive;
}

/**
 * Puts a picture on the clipboard; null where the browser cannot. Call it from what the person pressed: the picture itself
 * may come later.
 */
export const writePicture =
  typeof ClipboardItem === "undefined" || !("clipboard" in navigator)
    ? null
    : async (png: Promise<Blob>): Promise<ClipboardWrite> => {
        try {
          await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
          return { status: "written" };
        } catch (failure) {
          return { status: "failed", reason: failure instanceof Error ? failure.message : String(failure) };
        }
      };

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
