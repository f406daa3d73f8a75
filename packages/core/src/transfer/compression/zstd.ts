import type { Bytes } from "../../ports/file-storage.ts";
import { ZstdInstance } from "./zstd-instance.ts";

/** An empty module: if not even this compiles, the platform or a content security policy forbids it. */
const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/**
 * Compresses and decompresses zstd if this thread can, with a library that is loaded on first use. It is optional:
 * without it the methods return null, and deflate is used.
 */
export class Zstd {
  readonly #compile: () => Promise<WebAssembly.Module>;
  #isUsable: boolean | null = null;
  #module: Promise<WebAssembly.Module> | null = null;
  #instance: ZstdInstance | null = null;

  /** @param compile loads the library; called once. */
  constructor(compile: () => Promise<WebAssembly.Module>) {
    this.#compile = compile;
  }

  /** Whether trying is worthwhile, as far as known: code can be compiled here, and loading has not failed. */
  get isUsable(): boolean {
    this.#isUsable ??= canCompile();
    return this.#isUsable;
  }

  /** Compresses into one frame; null if that is not possible here. */
  compress(bytes: Bytes, level: number): Promise<Bytes | null> {
    return this.#use((instance) => instance.compress(bytes, level));
  }

  /** Decompresses a frame; null unless it holds exactly `lengthBytes`, or if that is not possible here. */
  decompress(frame: Bytes, lengthBytes: number): Promise<Bytes | null> {
    return this.#use((instance) => instance.decompress(frame, lengthBytes));
  }

  async #use(work: (instance: ZstdInstance) => Bytes | null): Promise<Bytes | null> {
    const instance = await this.#open();
    try {
      return instance && work(instance);
    } catch {
      // It trapped: the next instance starts with its own memory.
      if (this.#instance === instance) this.#instance = null;
      return null;
    }
  }

  async #open(): Promise<ZstdInstance | null> {
    if (!this.isUsable) return null;
    try {
      this.#module ??= this.#compile();
      const module = await this.#module;
      this.#instance ??= new ZstdInstance(module);
      return this.#instance;
    } catch {
      this.#isUsable = false;
      return null;
    }
  }
}

function canCompile(): boolean {
  try {
    return new WebAssembly.Module(emptyModule) instanceof WebAssembly.Module;
  } catch {
    return false;
  }
}
