import type { FileReopener } from "@warren/core";
import { pickByInput } from "./pick-by-input.ts";

/** Chromium's interface; the platform's types omit the permissions. */
interface Handle extends FileSystemFileHandle {
  queryPermission?(options: { readonly mode: "read" }): Promise<PermissionState>;
  requestPermission?(options: { readonly mode: "read" }): Promise<PermissionState>;
}

interface PickerWindow {
  showOpenFilePicker?(options: { readonly multiple: boolean }): Promise<Handle[]>;
}

/** What a picker offers. */
export interface FilePick {
  readonly multiple?: boolean;
  /** Media types and file endings, separated by commas, as of an input; all files without it. */
  readonly accept?: string;
  /** Opens a phone's camera instead. */
  readonly takesPhoto?: boolean;
}

interface DroppedItem extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

/**
 * Files people picked or dropped, with the handles that open them again after a reload where the browser gives any.
 * A handle is found by its file's name, size and time, because a drop returns a new File object each time.
 */
export class PickedFiles implements FileReopener {
  readonly #handles = new Map<string, Promise<FileSystemFileHandle | null>>();

  /** Opens a picker; empty if the user cancels it. Files of certain types are read at once, and need no handle. */
  async pick({ multiple = false, accept, takesPhoto }: FilePick): Promise<readonly File[]> {
    const { showOpenFilePicker } = window as PickerWindow;
    if (showOpenFilePicker === undefined || accept !== undefined)
      return pickByInput({ multiple, accept, takesPhoto });
    let handles: Handle[];
    try {
      handles = await showOpenFilePicker.call(window, { multiple });
    } catch (failure) {
      if (failure instanceof DOMException && failure.name === "AbortError") return [];
      // Refused inside a frame, for example; an input works everywhere.
      return pickByInput({ multiple });
    }
    return Promise.all(
      handles.map(async (handle) => {
        const file = await handle.getFile();
        this.#handles.set(keyOf(file), Promise.resolve(handle));
        return file;
      }),
    );
  }

  /**
   * Stores the handles of dropped files. Call it in the drop handler itself: the items are empty afterwards.
   */
  rememberDropped(items: Iterable<DroppedItem>): void {
    for (const item of items) {
      const file = item.kind === "file" ? item.getAsFile() : null;
      const handle = file && item.getAsFileSystemHandle?.().catch(() => null);
      if (file && handle) {
        this.#handles.set(
          keyOf(file),
          handle.then((found) => (found?.kind === "file" ? (found as FileSystemFileHandle) : null)),
        );
      }
    }
  }

  async handleOf(file: File): Promise<unknown> {
    const key = keyOf(file);
    const handle = (await this.#handles.get(key)) ?? null;
    this.#handles.delete(key);
    return handle;
  }

  async open(handle: unknown, { ask }: { readonly ask: boolean }): Promise<File | null> {
    if (!isHandle(handle)) return null;
    try {
      const mode = { mode: "read" } as const;
      const held = (await handle.queryPermission?.(mode)) ?? "granted";
      const state = held === "prompt" && ask ? await handle.requestPermission?.(mode) : held;
      return state === "granted" ? await handle.getFile() : null;
    } catch {
      return null; // moved or deleted, or the browser requires a press first
    }
  }
}

function keyOf({ name, size, lastModified }: File): string {
  return `${lastModified}/${size}/${name}`;
}

function isHandle(value: unknown): value is Handle {
  return typeof value === "object" && value !== null && "getFile" in value;
}
