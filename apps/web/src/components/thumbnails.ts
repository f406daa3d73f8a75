import type { FileId } from "@warren/protocol";
import { thumbnailOf } from "./avatar-image.ts";
import { sniffedBytes, sniffPicture } from "./picture-type.ts";

/** Twice the largest tile, for dense screens; in px. */
const edgePx = 96;
/** Larger files are not read for a thumbnail. */
const fileBytesMax = 24_000_000;
const keptMax = 300;

interface Job {
  readonly fid: FileId;
  readonly open: () => Promise<File | null>;
  readonly done: (thumbnail: string | null) => void;
}

/** Made ones, the least lately used first; null for files without. */
const made = new Map<FileId, string | null>();
const waiting: Job[] = [];
let isMaking = false;

/** A thumbnail that was made before; undefined where none was tried. */
export function madeThumbnail(fid: FileId): string | null | undefined {
  const thumbnail = made.get(fid);
  if (thumbnail === undefined) return undefined;
  made.delete(fid);
  made.set(fid, thumbnail);
  return thumbnail;
}

/**
 * Asks for the thumbnail of a file. One is made at a time, the last asked for first, because it is what the person has come
 * to. @returns what takes the wish back.
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
    const known = madeThumbnail(job.fid);
    const thumbnail = known === undefined ? await make(job).catch(() => null) : known;
    made.set(job.fid, thumbnail);
    for (const oldest of made.keys()) {
      if (made.size <= keptMax) break;
      made.delete(oldest);
    }
    job.done(thumbnail);
  }
  isMaking = false;
}

/** Its bytes say whether it is a picture, and which; what is drawn is drawn anew. */
async function make({ open }: Job): Promise<string | null> {
  const file = await open();
  if (file === null || file.size > fileBytesMax) return null;
  const sniffed = sniffPicture(new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer()));
  return sniffed && thumbnailOf(new Blob([file], { type: sniffed.type }), edgePx);
}
