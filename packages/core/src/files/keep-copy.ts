import type { FileDescription } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { Bytes, FileStorage } from "../ports/file-storage.ts";
import { digestOf, rootOf } from "./digests/digests.ts";
import type { FileSource } from "./file-source.ts";

/** The size of one read, as for sending: each read costs the same. */
const readBytes = 4 * 1024 * 1024;
/**
 * A copy waits as long as it takes to accept the file and to send it over a fast path: a file that is accepted at once
 * is sent first.
 */
const acceptMs = 500;
const fastBytesPerSecond = 16 * 1024 * 1024;
/** The rate of copies while files are being sent: copying 64 MiB takes as much CPU time as sending 10 MiB. */
const besideSendingBytesPerSecond = 4 * 1024 * 1024;

/** Decides when the next bytes may be copied: sending files needs the same CPU and disk, and comes first. */
export class CopyPace {
  readonly #clock: Clock;
  readonly #isSending: () => boolean;
  #nextAtMs = 0;

  constructor(clock: Clock, isSending: () => boolean) {
    this.#clock = clock;
    this.#isSending = isSending;
  }

  /** A file of this size was offered. */
  noteOffer(sizeBytes: number): void {
    const startAtMs = this.#clock.elapsedMs() + acceptMs + (sizeBytes * 1_000) / fastBytesPerSecond;
    this.#nextAtMs = Math.max(this.#nextAtMs, startAtMs);
  }

  /** Resolves when this many bytes may be copied. */
  async wait(sizeBytes: number): Promise<void> {
    const waitMs = this.#nextAtMs - this.#clock.elapsedMs();
    if (waitMs > 0) await new Promise<void>((resolve) => this.#clock.after(waitMs, resolve));
    const costMs = this.#isSending() ? (sizeBytes * 1_000) / besideSendingBytesPerSecond : 0;
    this.#nextAtMs = Math.max(this.#nextAtMs, this.#clock.elapsedMs() + costMs);
  }
}

/**
 * Copies a file into storage; the caller writes its record.
 * @returns its root; null when `isWanted` becomes false. Rejects like the source and the sink; copied chunks remain.
 */
export async function keepCopy(
  storage: Pick<FileStorage, "openSink">,
  description: FileDescription,
  source: FileSource,
  options: { readonly isWanted: () => boolean; readonly pace: Pick<CopyPace, "wait"> },
): Promise<string | null> {
  const { isWanted, pace } = options;
  await pace.wait(0);
  if (!isWanted()) return null;
  const sink = await storage.openSink(description.fid, description);
  try {
    const leaves: Bytes[] = [];
    const writing: Promise<void>[] = [];
    const { fileSize, chunkSize } = description;
    const chunksAtOnce = Math.max(1, Math.floor(readBytes / chunkSize));
    for (let start = 0; start < fileSize; start += chunksAtOnce * chunkSize) {
      const end = Math.min(fileSize, start + chunksAtOnce * chunkSize);
      await pace.wait(end - start);
      if (!isWanted()) return null;
      const slice = await source.read(start, end);
      for (let at = 0; at < slice.byteLength; at += chunkSize) {
        // The sink takes ownership of its input.
        const bytes = slice.slice(at, at + chunkSize);
        const digest = await digestOf(bytes);
        const written = sink.write(leaves.length, bytes, digest);
        // Handled by the await below, unless reading fails first.
        written.catch(() => {});
        leaves.push(digest);
        writing.push(written);
      }
    }
    await Promise.all(writing);
    await sink.finish();
    return await rootOf(description, leaves);
  } finally {
    await sink.close();
  }
}
