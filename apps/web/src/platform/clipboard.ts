import { SerialQueue } from "@warren/core";
import { messageOf } from "./message-of.ts";

/** The result of writing to the clipboard. */
export type ClipboardWrite =
  | { readonly status: "written" }
  /** Will be written as soon as possible: when the window has focus again, or at the next press. */
  | { readonly status: "queued" }
  /** The page is not in a secure context, where browsers copy only at a press, and this was none. */
  | { readonly status: "unsupported" }
  | { readonly status: "failed"; readonly reason: string };

/** The result of reading the clipboard. */
export type ClipboardRead =
  | {
      readonly status: "read";
      readonly text: string;
      readonly html: string;
      readonly files: readonly File[];
    }
  /** The page is not in a secure context, or the browser cannot read the clipboard. */
  | { readonly status: "unsupported" }
  /** Denied by the user or the browser. */
  | { readonly status: "denied" };

/** Writes texts to the clipboard, also those that the browser refuses at first. */
export class ClipboardWriter {
  /** Texts pending until they can be written, oldest first. */
  readonly #pending: string[] = [];
  readonly #attempts = new SerialQueue();
  /** Listens for events that may allow a refused write: the focus returns, or the user presses something. */
  #listening: AbortController | null = null;

  /**
   * Writes a text to the clipboard. A text refused because the window has no focus is written once it has, or
   * at the next press if the browser requires one; all in order.
   */
  async write(text: string): Promise<ClipboardWrite> {
    // The DOM types promise a clipboard; it is missing outside a secure context.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard === undefined) return { status: copyByCommand(text) ? "written" : "unsupported" };
    await this.#attempts.settled();
    // After the pending texts, which would overwrite it.
    if (this.#pending.length > 0) return this.#enqueue(text);
    const hadFocus = document.hasFocus();
    try {
      await clipboard.writeText(text);
      return { status: "written" };
    } catch (failure) {
      if (!hadFocus || !document.hasFocus()) return this.#enqueue(text);
      return { status: "failed", reason: messageOf(failure) };
    }
  }

  #enqueue(text: string): ClipboardWrite {
    this.#pending.push(text);
    if (this.#listening === null) {
      this.#listening = new AbortController();
      const options = { signal: this.#listening.signal, capture: true };
      for (const type of ["focus", "pointerup", "keydown"])
        window.addEventListener(type, this.#retry, options);
      // The focus may have come back while the text was refused.
      if (document.hasFocus()) this.#retry();
    }
    return { status: "queued" };
  }

  readonly #retry = (): void => {
    void this.#attempts.run(() => this.#writePending());
  };

  async #writePending(): Promise<void> {
    for (let [text] = this.#pending; text !== undefined; [text] = this.#pending) {
      const mayWrite = isPressed();
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // The focus may change again, and some browsers also require a press: wait for the next of either.
        if (!mayWrite || !isPressed()) return;
        // Refused right after a press too: retrying does not help, but the next text may be allowed.
      }
      this.#pending.shift();
    }
    this.#listening?.abort();
    this.#listening = null;
  }
}

/**
 * Copies by the older command, which browsers also have outside a secure context, but obey only at a press.
 * @returns whether the text was copied
 */
function copyByCommand(text: string): boolean {
  const selection = getSelection();
  if (selection === null) return false;
  const before = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index));
  // The command needs something selected, but takes what the listener gives it.
  const selected = document.createElement("span");
  selected.textContent = "\u00A0";
  selected.className = "sr-only select-text";
  document.body.append(selected);
  let isCopied = false;
  const setData = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData("text/plain", text);
    isCopied = event.clipboardData !== null;
  };
  document.addEventListener("copy", setData, { capture: true });
  try {
    selection.selectAllChildren(selected);
    return document.execCommand("copy") && isCopied;
  } finally {
    document.removeEventListener("copy", setData, { capture: true });
    selected.remove();
    selection.removeAllRanges();
    for (const range of before) selection.addRange(range);
  }
}

/** Whether a browser that allows this page to write would allow it now. */
function isPressed(): boolean {
  return document.hasFocus() && navigator.userActivation.isActive;
}

/**
 * Puts a picture on the clipboard; null if the browser cannot. Call it in the handler of a press; the picture
 * itself may follow later.
 */
export const writePicture =
  typeof ClipboardItem === "undefined" || !("clipboard" in navigator)
    ? null
    : async (png: Promise<Blob>): Promise<ClipboardWrite> => {
        try {
          await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
          return { status: "written" };
        } catch (failure) {
          return { status: "failed", reason: messageOf(failure) };
        }
      };

/** Reads the clipboard's text and pictures; a browser may ask the user first. Call it in the handler of a press. */
export async function readClipboard(): Promise<ClipboardRead> {
  // As above.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return { status: "unsupported" };
  try {
    const items = await clipboard.read();
    const [texts, html, pictures] = await Promise.all([
      blobsOf(items, (type) => type === "text/plain"),
      blobsOf(items, (type) => type === "text/html"),
      blobsOf(items, (type) => type.startsWith("image/")),
    ]);
    return {
      status: "read",
      text: await textOf(texts),
      html: await textOf(html),
      // Named as a browser names a pasted picture.
      files: pictures.map(
        (picture) =>
          new File([picture], `image.${picture.type.replace(/^image\/|\+xml$/g, "")}`, {
            type: picture.type,
          }),
      ),
    };
  } catch (failure) {
    // Chromium's answer if the clipboard has only types that it does not pass on.
    if (failure instanceof DOMException && failure.name === "DataError")
      return { status: "read", text: "", html: "", files: [] };
    return { status: "denied" };
  }
}

function blobsOf(items: ClipboardItems, isWanted: (type: string) => boolean): Promise<readonly Blob[]> {
  return Promise.all(items.flatMap((item) => item.types.filter(isWanted).map((type) => item.getType(type))));
}

async function textOf(blobs: readonly Blob[]): Promise<string> {
  return (await Promise.all(blobs.map((blob) => blob.text()))).join("\n");
}
