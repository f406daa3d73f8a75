import { useEffect, useEffectEvent, useState } from "react";
import { thumbnailOf } from "./avatar-image.ts";
import { judgePicture } from "./picture-size.ts";

/** A tile that is scrolled past quickly is not opened. */
export const restMs = 150;

/**
 * The thumbnail of a picture once there is one; null if there is none, and while none is requested.
 * @param key the cache key; null while it is not wanted.
 * @param edgePx its width and height.
 */
export function useThumbnail(
  key: string | null,
  edgePx: number,
  open: () => Promise<File | null>,
): string | null {
  const [, setLoaded] = useState<string | null>(null);
  const openNow = useEffectEvent(open);
  useEffect(() => {
    if (key === null || cachedThumbnail(key) !== undefined) return;
    let cancel = (): void => {};
    const timer = setTimeout(() => {
      cancel = requestThumbnail({ key, edgePx, open: () => openNow(), done: setLoaded });
    }, restMs);
    return () => {
      clearTimeout(timer);
      cancel();
    };
  }, [key, edgePx]);
  return key === null ? null : (cachedThumbnail(key) ?? null);
}

/** Larger files are not read for a thumbnail. */
const fileBytesMax = 24_000_000;
/** Cache limit, in characters of keys and addresses: enough for many hundred tiles. */
const keptCharactersMax = 4_000_000;

interface Job {
  /** Identifies the file, and the size of its thumbnail. */
  readonly key: string;
  readonly edgePx: number;
  readonly open: () => Promise<File | null>;
  readonly done: (thumbnail: string | null) => void;
}

/** The cached thumbnails, least recently used first; null for files that have none. */
const cache = new Map<string, string | null>();
let keptCharacters = 0;
const waiting: Job[] = [];
let isRunning = false;

/** A cached thumbnail; null if the file has none, undefined if none was tried. */
function cachedThumbnail(key: string): string | null | undefined {
  const thumbnail = cache.get(key);
  if (thumbnail === undefined) return undefined;
  cache.delete(key);
  cache.set(key, thumbnail);
  return thumbnail;
}

/**
 * Requests the thumbnail of a file. One is created at a time, the latest request first, because it is most
 * likely in view.
 * @returns a function that cancels the request.
 */
export function requestThumbnail(job: Job): () => void {
  waiting.push(job);
  void createAll();
  return () => {
    const index = waiting.indexOf(job);
    if (index >= 0) waiting.splice(index, 1);
  };
}

async function createAll(): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  for (let job = waiting.pop(); job !== undefined; job = waiting.pop()) {
    const known = cachedThumbnail(job.key);
    const thumbnail = known === undefined ? await create(job).catch(() => null) : known;
    if (known === undefined) keep(job.key, thumbnail);
    job.done(thumbnail);
  }
  isRunning = false;
}

function keep(key: string, thumbnail: string | null): void {
  cache.set(key, thumbnail);
  keptCharacters += charactersOf(key, thumbnail);
  for (const oldest of cache) {
    if (keptCharacters <= keptCharactersMax) break;
    cache.delete(oldest[0]);
    keptCharacters -= charactersOf(...oldest);
  }
}

function charactersOf(key: string, thumbnail: string | null): number {
  return key.length + (thumbnail?.length ?? 0);
}

/** Its bytes decide whether it is a picture, and of which type; the result is re-encoded. */
async function create({ open, edgePx }: Job): Promise<string | null> {
  const file = await open();
  if (file === null || file.size > fileBytesMax) return null;
  const judged = await judgePicture(file);
  return judged.status === "drawable" ? thumbnailOf(new Blob([file], { type: judged.type }), edgePx) : null;
}
