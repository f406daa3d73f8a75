import type { FileReopener } from "../ports/file-reopener.ts";

/** The files of a person's disk by name, as a browser with file handles opens them again. */
export class FakeDisk implements FileReopener {
  /** What is there now; a file that is not here gives no handle. */
  readonly files = new Map<string, File>();
  /** Whether the browser reads without asking. */
  permitted = true;

  async handleOf({ name }: File): Promise<unknown> {
    return this.files.has(name) ? { name } : null;
  }

  async open(handle: unknown, { ask }: { readonly ask: boolean }): Promise<File | null> {
    const { name } = handle as { readonly name: string };
    return this.permitted || ask ? (this.files.get(name) ?? null) : null;
  }
}

/** A file that somebody writes to while it is being read: then no more can be read of it, as browsers have it. */
export class EditedFile extends File {
  /** How many more times it can be read. */
  readsLeft = Number.POSITIVE_INFINITY;

  override slice(...range: Parameters<File["slice"]>): Blob {
    const part = super.slice(...range);
    const read = part.arrayBuffer.bind(part);
    part.arrayBuffer = () => {
      if (this.readsLeft-- > 0) return read();
      return Promise.reject(new DOMException("it changed", "NotReadableError"));
    };
    return part;
  }
}
