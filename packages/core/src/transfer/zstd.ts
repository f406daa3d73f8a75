import type { Bytes } from "../ports/file-storage.ts";
import { ZstdInstance } from "./zstd-instance.ts";

/** A module that holds nothing: where not even this compiles, the platform or a content security policy is against it. */
const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/**
 * Compresses and decompresses zstd where this thread can, with a library that is loaded when it is first needed.
 * Nothing depends on it: who cannot says so, and deflate does.
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

  /** Whether it is worth trying, as far as is known: code can be compiled here, and loading it has not failed. */
  get isUsable(): boolean {
    this.#isUsable ??= canCompile();
    return this.#isUsable;
  }

  /** One frame of some bytes, or null where that can not be done here. */
  compress(bytes: Bytes, level: number): Promise<Bytes | null> {
    return this.#use((instance) => instance.compress(bytes, level));
  }

  /** What a frame holds; null where that is not exactly so many bytes, or can not be told here. */
  decompress(frame: Bytes, lengthBytes: number): Promise<Bytes | null> {
    return this.#use((instance) => instance.decompress(frame, lengthBytes));
  }

  async #use(work: (instance: ZstdInstance) => Bytes | null): Promise<Bytes | null> {
    const instance = await this.#open();
    try {
      return instance && work(instance);
    } catch {
      // It trapped: the next one begins in a memory of its own.
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
