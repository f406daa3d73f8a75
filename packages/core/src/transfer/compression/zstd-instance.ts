import type { Bytes } from "../../ports/file-storage.ts";

/** The functions of the library that `zstd/build.sh` exports. */
const functions = [
  "ZSTD_isError",
  "ZSTD_compressBound",
  "ZSTD_createCCtx",
  "ZSTD_compressCCtx",
  "ZSTD_createDCtx",
  "ZSTD_getFrameContentSize",
  "ZSTD_decompressDCtx",
  "malloc",
  "free",
] as const;

type Call = (...values: number[]) => number;

/** Memory for the data of one call, reused by the next. */
interface Room {
  at: number;
  sizeBytes: number;
}

/**
 * The zstd library (`zstd/zstd.wasm`) in its own isolated memory, to which its build sets a limit. After any method throws, that memory is in an unknown state: do
 * not use the instance again.
 */
export class ZstdInstance {
  readonly #memory: WebAssembly.Memory;
  readonly #calls: Readonly<Record<(typeof functions)[number], Call>>;
  readonly #compressor: number;
  readonly #decompressor: number;
  readonly #input: Room = { at: 0, sizeBytes: 0 };
  readonly #output: Room = { at: 0, sizeBytes: 0 };

  constructor(module: WebAssembly.Module) {
    const { exports } = new WebAssembly.Instance(module);
    const { memory } = exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new WebAssembly.LinkError("no memory");
    const callOf = (name: string): Call => {
      const found = exports[name];
      if (typeof found !== "function") throw new WebAssembly.LinkError(`no ${name}`);
      return (...values) => Number(found(...values)) >>> 0;
    };
    this.#memory = memory;
    this.#calls = Object.fromEntries(functions.map((name) => [name, callOf(name)])) as Record<
      (typeof functions)[number],
      Call
    >;
    callOf("_initialize")();
    this.#compressor = this.#made(this.#calls.ZSTD_createCCtx());
    this.#decompressor = this.#made(this.#calls.ZSTD_createDCtx());
  }

  /** The memory of the library, in bytes. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Compresses bytes into one frame that states their length; deterministic for the same bytes and level. */
  compress(bytes: Uint8Array, level: number): Bytes {
    const { ZSTD_compressBound, ZSTD_compressCCtx, ZSTD_isError } = this.#calls;
    const boundBytes = ZSTD_compressBound(bytes.byteLength);
    const input = this.#give(bytes);
    const output = this.#roomOf(this.#output, boundBytes);
    const size = ZSTD_compressCCtx(this.#compressor, output, boundBytes, input, bytes.byteLength, level);
    if (ZSTD_isError(size)) throw new WebAssembly.RuntimeError("the library could not compress");
    return this.#take(output, size);
  }

  /** Decompresses a frame; null unless it holds exactly `lengthBytes`. Writes into a buffer of that size only. */
  decompress(frame: Uint8Array, lengthBytes: number): Bytes | null {
    const { ZSTD_getFrameContentSize, ZSTD_decompressDCtx } = this.#calls;
    const input = this.#give(frame);
    if (ZSTD_getFrameContentSize(input, frame.byteLength) !== lengthBytes) return null;
    const output = this.#roomOf(this.#output, lengthBytes);
    // Straight into the output, so that the window a frame asks for is never allocated.
    const size = ZSTD_decompressDCtx(this.#decompressor, output, lengthBytes, input, frame.byteLength);
    return size === lengthBytes ? this.#take(output, size) : null;
  }

  #give(bytes: Uint8Array): number {
    const at = this.#roomOf(this.#input, bytes.byteLength);
    new Uint8Array(this.#memory.buffer, at, bytes.byteLength).set(bytes);
    return at;
  }

  #take(at: number, sizeBytes: number): Bytes {
    return new Uint8Array(this.#memory.buffer, at, sizeBytes).slice();
  }

  #roomOf(room: Room, sizeBytes: number): number {
    if (room.sizeBytes >= sizeBytes) return room.at;
    if (room.at !== 0) this.#calls.free(room.at);
    room.at = this.#made(this.#calls.malloc(sizeBytes));
    room.sizeBytes = sizeBytes;
    return room.at;
  }

  #made(at: number): number {
    if (at === 0) throw new WebAssembly.RuntimeError("the library has no memory left");
    return at;
  }
}
