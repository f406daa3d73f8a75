import type { ReadableStore } from "@warren/core";
import type { FileId } from "@warren/protocol";
import { createStore } from "zustand/vanilla";

/** In px. */
export interface PictureShape {
  readonly width: number;
  readonly height: number;
}

/** The sizes of the pictures seen, so that a reopened conversation does not shift. */
export class PictureShapes {
  readonly #store = createStore<ReadonlyMap<FileId, PictureShape>>(() => new Map());

  get store(): ReadableStore<ReadonlyMap<FileId, PictureShape>> {
    return this.#store;
  }

  set(fid: FileId, shape: PictureShape): void {
    this.#store.setState((known) => new Map(known).set(fid, shape), true);
  }
}
