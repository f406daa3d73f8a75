import type { Bytes } from "../ports/file-storage.ts";
import { canDeflate, deflate } from "./deflate.ts";
import { type Deflater, ownThreadDeflater } from "./deflater.ts";

/** A chunk ready to travel. */
export interface PackedChunk {
  readonly bytes: Bytes;
  readonly deflated: boolean;
}

/** What deflate leaves of a chunk at most, as a share, for it to be worth its time. */
const worthwhileShare = 0.9;
const sampleBytes = 64 * 1024;
/** Chunks sent as they are before the next sample. */
const chunksBetweenSamples = 16;

const compressedTypes =
  /^(?:image\/(?!svg|bmp|x-ms-bmp|tiff|x-portable)|video\/|audio\/(?!wav|x-wav|wave|aiff|x-aiff|midi)|font\/woff|application\/(?:zip|gzip|x-gzip|x-7z|x-rar|vnd\.rar|x-bzip|x-xz|zstd|java-archive|epub|vnd\.openxmlformats|vnd\.oasis|vnd\.android\.package))/;
const compressedNames =
  /\.(?:jpe?g|png|gif|webp|avif|heic|jxl|mp[34]|m4[av]|mkv|webm|mov|avi|aac|ogg|opus|flac|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|apk|docx|xlsx|pptx|od[tsp]|epub|woff2?|br)$/i;

/**
 * Decides per chunk of one file whether it travels deflated: never at level 0 or for types that are compressed
 * already; otherwise as long as it saves a tenth, which a sample finds out at first and now and then. Any level from
 * 1 means the platform's own deflate.
 */
export class CompressionPolicy {
  readonly #off: boolean;
  readonly #deflater: Deflater;
  #pays = false;
  #chunksUntilSample = 0;
  /** Chunks may be packed several at once: one that comes during a sample waits for what it says. */
  #sampling: Promise<boolean> | null = null;

  constructor(
    file: { readonly fileName: string; readonly mimeType: string },
    level: number,
    deflater: Deflater = ownThreadDeflater,
  ) {
    this.#deflater = deflater;
    this.#off =
      level === 0 ||
      compressedTypes.test(file.mimeType) ||
      compressedNames.test(file.fileName) ||
      !canDeflate();
  }

  /** How many chunks are worth packing at once. */
  get threads(): number {
    return this.#deflater.threads;
  }

  /** @param before how the chunk was packed before, since parts of it may have arrived that way. */
  async pack(chunk: Bytes, before?: boolean): Promise<PackedChunk> {
    const plain = { bytes: chunk, deflated: false };
    if (before !== undefined)
      return before ? { bytes: await this.#deflater.deflate(chunk), deflated: true } : plain;
    if (this.#off || !(await this.#mayPay(chunk))) return plain;
    const deflated = await this.#deflater.deflate(chunk);
    this.#pays = isWorthwhile(deflated, chunk);
    return this.#pays ? { bytes: deflated, deflated: true } : plain;
  }

  async #mayPay(chunk: Bytes): Promise<boolean> {
    if (this.#pays) return true;
    if (this.#sampling !== null) return this.#sampling;
    if (this.#chunksUntilSample-- > 0) return false;
    this.#chunksUntilSample = chunksBetweenSamples;
    this.#sampling = sampleOf(chunk).finally(() => {
      this.#sampling = null;
    });
    return this.#sampling;
  }
}

async function sampleOf(chunk: Bytes): Promise<boolean> {
  const sample = chunk.subarray(0, sampleBytes);
  return isWorthwhile(await deflate(sample), sample);
}

function isWorthwhile(deflated: Bytes, original: Bytes): boolean {
  return deflated.byteLength <= original.byteLength * worthwhileShare;
}
