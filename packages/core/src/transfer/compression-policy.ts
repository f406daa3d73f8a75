import type { ChunkEncoding } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";
import { type Compressor, ownThreadCompressor, type PackedChunk } from "./compressor.ts";
import { canDeflate, deflate } from "./deflate.ts";

/** What one chunk's packing depends on beside its bytes. */
export interface PackRequest {
  /** Whether the receiver reads zstd. */
  readonly readsZstd: boolean;
  /** How the chunk was packed before, since parts of it may have arrived that way. */
  readonly before?: ChunkEncoding | undefined;
}

/** What compressing leaves of a chunk at most, as a share, for it to be worth its time. */
const worthwhileShare = 0.9;
const sampleBytes = 64 * 1024;
/** Chunks sent as they are before the next sample. */
const chunksBetweenSamples = 16;

const compressedTypes =
  /^(?:image\/(?!svg|bmp|x-ms-bmp|tiff|x-portable)|video\/|audio\/(?!wav|x-wav|wave|aiff|x-aiff|midi)|font\/woff|application\/(?:zip|gzip|x-gzip|x-7z|x-rar|vnd\.rar|x-bzip|x-xz|zstd|java-archive|epub|vnd\.openxmlformats|vnd\.oasis|vnd\.android\.package))/;
const compressedNames =
  /\.(?:jpe?g|png|gif|webp|avif|heic|jxl|mp[34]|m4[av]|mkv|webm|mov|avi|aac|ogg|opus|flac|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|apk|docx|xlsx|pptx|od[tsp]|epub|woff2?|br)$/i;

/**
 * What the levels of the option from 1 on are to zstd, whose own mean other things: half the time deflate takes and less
 * up to the default, 6, and more than it takes above. Where there are two, the second is for files of which it leaves less,
 * as of most texts: logs are smaller at 1.
 */
const zstdLevels = [[1], [1], [1], [1, 3], [1, 3], [1, 3], [5], [6], [8]] as const;
/** What a higher level leaves at most, as a share of what the lower one does, for it to be worth its time. */
const worthwhileLevelShare = 0.98;

/**
 * Decides per chunk of one file whether it travels compressed: never at level 0 or for types that are compressed
 * already; otherwise as long as it saves a tenth, which a sample finds out at first and now and then. Deflate knows
 * no levels: the platform has one.
 */
export class CompressionPolicy {
  readonly #off: boolean;
  readonly #compressor: Compressor;
  readonly #zstdLevels: readonly [lower: number, higher?: number];
  #zstdLevel: Promise<number> | null = null;
  #pays = false;
  #chunksUntilSample = 0;
  /** Chunks may be packed several at once: one that comes during a sample waits for what it says. */
  #sampling: Promise<boolean> | null = null;

  constructor(
    file: { readonly fileName: string; readonly mimeType: string },
    level: number,
    compressor: Compressor = ownThreadCompressor,
  ) {
    this.#compressor = compressor;
    this.#zstdLevels = zstdLevels[level - 1] ?? [1];
    this.#off =
      level === 0 ||
      compressedTypes.test(file.mimeType) ||
      compressedNames.test(file.fileName) ||
      !canDeflate();
  }

  /** How many chunks are worth packing at once. */
  get threads(): number {
    return this.#compressor.threads;
  }

  async pack(chunk: Bytes, { readsZstd, before }: PackRequest): Promise<PackedChunk> {
    const plain: PackedChunk = { bytes: chunk, encoding: "plain" };
    if (before === "plain") return plain;
    if (before === undefined && (this.#off || !(await this.#mayPay(chunk)))) return plain;
    const zstdLevel = readsZstd && before !== "deflate" ? await this.#zstdLevelFor(chunk) : null;
    const packed = await this.#compressor.compress(chunk, zstdLevel);
    if (packed.encoding === before) return packed;
    this.#pays = isWorthwhile(packed.bytes, chunk);
    return this.#pays ? packed : plain;
  }

  /** One for all chunks of the file: a chunk that is packed again has to become the same. */
  #zstdLevelFor(firstChunk: Bytes): Promise<number> {
    this.#zstdLevel ??= this.#chooseZstdLevel(firstChunk);
    return this.#zstdLevel;
  }

  async #chooseZstdLevel(chunk: Bytes): Promise<number> {
    const [lower, higher] = this.#zstdLevels;
    if (higher === undefined) return lower;
    const at = async (level: number) => (await this.#compressor.compress(chunk, level)).bytes.byteLength;
    const [lowerBytes, higherBytes] = await Promise.all([at(lower), at(higher)]);
    return higherBytes <= lowerBytes * worthwhileLevelShare ? higher : lower;
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

function isWorthwhile(packed: Bytes, original: Bytes): boolean {
  return packed.byteLength <= original.byteLength * worthwhileShare;
}
