/** Cache limit, in characters of keys and addresses: enough for many hundred tiles. */
const cachedCharactersMax = 4_000_000;

interface ThumbnailRequest {
  /** Identifies the picture, and the size of its thumbnail. */
  readonly key: string;
  /** Makes the thumbnail; null if there is none. */
  readonly make: () => Promise<string | null>;
  readonly done: (thumbnail: string | null) => void;
}

/** The thumbnails of the pictures seen. One is made at a time, the latest request first, because it is most likely in view. */
export class Thumbnails {
  /** Least recently used first; null for pictures that have none. */
  readonly #cache = new Map<string, string | null>();
  #cachedCharacters = 0;
  readonly #waiting: ThumbnailRequest[] = [];
  #isMaking = false;

  /** A cached thumbnail; null if the picture has none, undefined if none was tried. */
  cached(key: string): string | null | undefined {
    const thumbnail = this.#cache.get(key);
    if (thumbnail === undefined) return undefined;
    this.#cache.delete(key);
    this.#cache.set(key, thumbnail);
    return thumbnail;
  }

  /** @returns a function that cancels the request. */
  request(request: ThumbnailRequest): () => void {
    this.#waiting.push(request);
    void this.#makeAll();
    return () => {
      const index = this.#waiting.indexOf(request);
      if (index >= 0) this.#waiting.splice(index, 1);
    };
  }

  async #makeAll(): Promise<void> {
    if (this.#isMaking) return;
    this.#isMaking = true;
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const known = this.cached(next.key);
      const thumbnail = known === undefined ? await next.make().catch(() => null) : known;
      if (known === undefined) this.#add(next.key, thumbnail);
      next.done(thumbnail);
    }
    this.#isMaking = false;
  }

  #add(key: string, thumbnail: string | null): void {
    this.#cache.set(key, thumbnail);
    this.#cachedCharacters += charactersOf(key, thumbnail);
    for (const oldest of this.#cache) {
      if (this.#cachedCharacters <= cachedCharactersMax) break;
      this.#cache.delete(oldest[0]);
      this.#cachedCharacters -= charactersOf(...oldest);
    }
  }
}

function charactersOf(key: string, thumbnail: string | null): number {
  return key.length + (thumbnail?.length ?? 0);
}
