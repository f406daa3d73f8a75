import { createReadStream } from "node:fs";
import type { Writable } from "node:stream";

const readBytes = 1024 * 1024;

/**
 * A pipe as the target of one file, which goes there while it arrives: each chunk once it and all before it are verified and
 * on the disk.
 */
export class PipeTarget {
  readonly #output: Writable;
  #fid: string | null = null;
  #written = 0;
  /** Where the bytes end that may be written. */
  #end = 0;
  #writing: Promise<void> | null = null;
  #failure: Error | null = null;

  constructor(output: Writable) {
    this.#output = output;
    output.on("error", (error) => {
      this.#failure ??= error;
    });
  }

  /** Why no more can be written, such as a reader that has gone. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** @returns whether this file is the one that goes there */
  take(fid: string): boolean {
    this.#fid ??= fid;
    return this.#fid === fid;
  }

  /** The bytes of a file up to `end` are at `path`. */
  advance(fid: string, path: string, end: number): void {
    if (!this.take(fid) || this.#failure !== null) return;
    this.#end = Math.max(this.#end, end);
    this.#writing ??= this.#write(path)
      .catch((error: Error) => {
        this.#failure ??= error;
      })
      .finally(() => {
        this.#writing = null;
      });
  }

  /** Writes the rest of a file of which all is at `path`. @throws Error if it could not be written */
  async finish(fid: string, path: string, size: number): Promise<void> {
    if (!this.take(fid)) throw new Error("another file goes there");
    this.advance(fid, path, size);
    await this.#writing;
    if (this.#failure !== null) throw this.#failure;
  }

  async #write(path: string): Promise<void> {
    while (this.#written < this.#end) {
      const end = this.#end;
      const part = createReadStream(path, { start: this.#written, end: end - 1, highWaterMark: readBytes });
      // A pipeline into stdout leaves its listeners there, and one is needed for each part.
      for await (const bytes of part) await written(this.#output, bytes);
      this.#written = end;
    }
  }
}

/** Resolves once the bytes have left. */
function written(output: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
