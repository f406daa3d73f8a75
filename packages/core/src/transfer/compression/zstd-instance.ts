import type { Bytes } from "../../ports/file-storage.ts";

/** The library's build exports under single letters; the tests catch a release that changes them. */
const exportNames = {
  memory: "f",
  start: "g",
  isError: "h",
  compressBound: "i",
  createCompressor: "j",
  compress: "l",
  createDecompressor: "n",
  contentSize: "p",
  decompress: "q",
  allocate: "s",
  free: "t",
} as const;

const pageBytes = 64 * 1024;
/** Chunks have at most 4 MiB, for which the highest level needs less than half of this. */
const memoryLimitBytes = 64 * 1024 * 1024;

type Call = (...values: number[]) => number;

/** Memory for the data of one call, reused by the next. */
interface Room {
  at: number;
  sizeBytes: number;
}

/**
 * The zstd library in its own bounded, isolated memory. After any method throws, that memory is in an unknown state: do
 * not use the instance again.
 */
export class ZstdInstance {
  readonly #memory: WebAssembly.Memory;
  readonly #calls: Record<Exclude<keyof typeof exportNames, "memory" | "start">, Call>;
  readonly #compressor: number;
  readonly #decompressor: number;
  readonly #input: Room = { at: 0, sizeBytes: 0 };
  readonly #output: Room = { at: 0, sizeBytes: 0 };

  constructor(module: WebAssembly.Module) {
    const stop = () => {
      throw new WebAssembly.RuntimeError("the library gave up");
    };
    const { exports } = new WebAssembly.Instance(module, {
      // In this order: exit, keep no timers, abort, set a timer, grow.
      a: {
        a: stop,
        b: () => {},
        c: stop,
        d: () => 0,
        e: (sizeBytes: number) => this.#growTo(sizeBytes >>> 0),
      },
    });
    const memory = exports[exportNames.memory];
    if (!(memory instanceof WebAssembly.Memory)) throw new WebAssembly.LinkError("no memory");
    const call = (name: keyof typeof exportNames): Call => {
      const found = exports[exportNames[name]];
      if (typeof found !== "function") throw new WebAssembly.LinkError(`no ${name}`);
      return (...values) => Number(found(...values)) >>> 0;
    };
    this.#memory = memory;
    this.#calls = {
      isError: call("isError"),
      compressBound: call("compressBound"),
      createCompressor: call("createCompressor"),
      compress: call("compress"),
      createDecompressor: call("createDecompressor"),
      contentSize: call("contentSize"),
      decompress: call("decompress"),
      allocate: call("allocate"),
      free: call("free"),
    };
    call("start")();
    this.#compressor = this.#made(this.#calls.createCompressor());
    this.#decompressor = this.#made(this.#calls.createDecompressor());
  }

  /** The memory of the library, in bytes. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Compresses bytes into one frame that states their length; deterministic for the same bytes and level. */
  compress(bytes: Uint8Array, level: number): Bytes {
    const { compressBound, compress, isError } = this.#calls;
    const boundBytes = compressBound(bytes.byteLength);
    const input = this.#give(bytes);
    const output = this.#roomOf(this.#output, boundBytes);
    const size = compress(this.#compressor, output, boundBytes, input, bytes.byteLength, 0, 0, level);
    if (isError(size)) throw new WebAssembly.RuntimeError("the library could not compress");
    return this.#take(output, size);
  }

  /** Decompresses a frame; null unless it holds exactly `lengthBytes`. Writes into a buffer of that size only. */
  decompress(frame: Uint8Array, lengthBytes: number): Bytes | null {
    const { contentSize, decompress } = this.#calls;
    const input = this.#give(frame);
    if (contentSize(input, frame.byteLength) !== lengthBytes) return null;
    const output = this.#roomOf(this.#output, lengthBytes);
    // Without a dictionary, and straight into the output, so that the window a frame asks for is never allocated.
    const size = decompress(this.#decompressor, output, lengthBytes, input, frame.byteLength, 0, 0);
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
    room.at = this.#made(this.#calls.allocate(sizeBytes));
    room.sizeBytes = sizeBytes;
    return room.at;
  }

  #made(at: number): number {
    if (at === 0) throw new WebAssembly.RuntimeError("the library has no memory left");
    return at;
  }

  #growTo(sizeBytes: number): number {
    if (sizeBytes > memoryLimitBytes) return 0;
    try {
      this.#memory.grow(Math.ceil((sizeBytes - this.memoryBytes) / pageBytes));
      return 1;
    } catch {
      return 0;
    }
  }
}
