import { thumbnailOf } from "../people/avatar-image.ts";
import { judgePicture } from "../people/picture-size.ts";

/** Larger files are not read for a thumbnail. */
const fileBytesMax = 24_000_000;
/** Cache limit: letters of keys and addresses, enough for many hundred tiles. */
const keptLettersMax = 4_000_000;

interface Job {
  /** Identifies the file, and the size of its thumbnail. */
  readonly key: string;
  readonly edgePx: number;
  readonly open: () => Promise<File | null>;
  readonly done: (thumbnail: string | null) => void;
}

/** The cached thumbnails, least recently used first; null for files without. */
const made = new Map<string, string | null>();
let keptLetters = 0;
const waiting: Job[] = [];
let isMaking = false;

/** A cached thumbnail; undefined if none was tried. */
export function madeThumbnail(key: string): string | null | undefined {
  const thumbnail = made.get(key);
  if (thumbnail === undefined) return undefined;
  made.delete(key);
  made.set(key, thumbnail);
  return thumbnail;
}

/**
 * Requests the thumbnail of a file. One is created at a time, the latest request first, because it is most
 * likely in view.
 * @returns a function that cancels the request.
 */
export function wantThumbnail(job: Job): () => void {
  waiting.push(job);
  void makeAll();
  return () => {
    const index = waiting.indexOf(job);
    if (index >= 0) waiting.splice(index, 1);
  };
}

async function makeAll(): Promise<void> {
  if (isMaking) return;
  isMaking = true;
  for (let job = waiting.pop(); job !== undefined; job = waiting.pop()) {
    const known = madeThumbnail(job.key);
    const thumbnail = known === undefined ? await make(job).catch(() => null) : known;
    if (known === undefined) keep(job.key, thumbnail);
    job.done(thumbnail);
  }
  isMaking = false;
}

function keep(key: string, thumbnail: string | null): void {
  made.set(key, thumbnail);
  keptLetters += lettersOf(key, thumbnail);
  for (const oldest of made) {
    if (keptLetters <= keptLettersMax) break;
    made.delete(oldest[0]);
    keptLetters -= lettersOf(...oldest);
  }
}

function lettersOf(key: string, thumbnail: string | null): number {
  return key.length + (thumbnail?.length ?? 0);
}

/** Its bytes decide whether it is a picture, and of which type; the result is re-encoded. */
async function make({ open, edgePx }: Job): Promise<string | null> {
  const file = await open();
  if (file === null || file.size > fileBytesMax) return null;
  const judged = await judgePicture(file);
  return judged.status === "drawable" ? thumbnailOf(new Blob([file], { type: judged.type }), edgePx) : null;
}
