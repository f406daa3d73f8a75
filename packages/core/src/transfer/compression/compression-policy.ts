import type { ChunkEncoding } from "@warren/protocol";
import type { Bytes } from "../../ports/file-storage.ts";
import { type Compressor, ownThreadCompressor, type PackedChunk } from "./compressor.ts";
import { deflate } from "./deflate.ts";

/** What determines the packing of a chunk, beside its bytes. */
export interface PackRequest {
  /** Whether the receiver reads zstd; a chunk to be compressed waits until that is known. */
  readonly readsZstd: boolean | Promise<boolean>;
  /** The chunk's earlier encoding: parts of it may have arrived that way. */
  readonly before?: ChunkEncoding | undefined;
}

/** The highest compressed fraction for which compressing a chunk is worth its time. */
const worthwhileShare = 0.9;
const sampleBytes = 64 * 1024;
/** Chunks sent uncompressed before the next sample. */
const chunksBetweenSamples = 16;

const compressedTypes =
  /^(?:image\/(?!svg|bmp|x-ms-bmp|tiff|x-portable)|video\/|audio\/(?!wav|x-wav|wave|aiff|x-aiff|midi)|font\/woff|application\/(?:zip|gzip|x-gzip|x-7z|x-rar|vnd\.rar|x-bzip|x-xz|zstd|java-archive|epub|vnd\.openxmlformats|vnd\.oasis|vnd\.android\.package))/;
const compressedNames =
  /\.(?:jpe?g|png|gif|webp|avif|heic|jxl|mp[34]|m4[av]|mkv|webm|mov|avi|aac|ogg|opus|flac|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|apk|docx|xlsx|pptx|od[tsp]|epub|woff2?|br)$/i;

/**
 * The zstd levels for the option's levels from 1 on: up to the default, 6, they take half of deflate's time or less;
 * above it more than deflate. Of two levels, the second is for files it compresses further, like most texts; logs are
 * smaller at 1.
 */
const zstdLevels = [[1], [1], [1], [1, 3], [1, 3], [1, 3], [5], [6], [8]] as const;
/** The highest fraction of the lower level's size for which a higher level is worth its time. */
const worthwhileLevelShare = 0.98;

/**
 * Decides for each chunk of a file whether to compress it: never at level 0 or for compressed file types; otherwise
 * while it saves at least a tenth, which is sampled at first and from time to time. Deflate has no levels: the platform
 * has only one.
 */
export class CompressionPolicy {
  readonly #off: boolean;
  readonly #compressor: Compressor;
  readonly #zstdLevels: readonly [lower: number, higher?: number];
  #zstdLevel: Promise<number> | null = null;
  #pays = false;
  #chunksUntilSample = 0;
  /** Chunks may be packed concurrently; one that comes during a sample waits for its result. */
  #sampling: Promise<boolean> | null = null;

  constructor(
    file: { readonly fileName: string; readonly mimeType: string },
    level: number,
    compressor: Compressor = ownThreadCompressor,
  ) {
    this.#compressor = compressor;
    this.#zstdLevels = zstdLevels[level - 1] ?? [1];
    this.#off = level === 0 || compressedTypes.test(file.mimeType) || compressedNames.test(file.fileName);
  }

  /** How many chunks to pack at once. */
  get threads(): number {
    return this.#compressor.threads;
  }

  async pack(chunk: Bytes, { readsZstd, before }: PackRequest): Promise<PackedChunk> {
    const plain: PackedChunk = { bytes: chunk, encoding: "plain" };
    if (before === "plain") return plain;
    if (before === undefined && (this.#off || !(await this.#mayPay(chunk)))) return plain;
    const zstdLevel = before !== "deflate" && (await readsZstd) ? await this.#zstdLevelFor(chunk) : null;
    const packed = await this.#compressor.compress(chunk, zstdLevel);
    if (packed.encoding === before) return packed;
    this.#pays = isWorthwhile(packed.bytes, chunk);
    return this.#pays ? packed : plain;
  }

  /** One level for all chunks of the file: a chunk packed again has to give the same bytes. */
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
    this.#sampling = doesShrink(chunk).finally(() => {
      this.#sampling = null;
    });
    return this.#sampling;
  }
}

async function doesShrink(chunk: Bytes): Promise<boolean> {
  const sample = chunk.subarray(0, sampleBytes);
  return isWorthwhile(await deflate(sample), sample);
}

function isWorthwhile(packed: Bytes, original: Bytes): boolean {
  return packed.byteLength <= original.byteLength * worthwhileShare;
}
