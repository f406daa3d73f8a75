import { openDB } from "idb";
import { type SharedSchema, sharedDatabase } from "./shared-database.ts";

/** Items without a recipient are deleted after this time. */
const dayMs = 24 * 60 * 60 * 1_000;
const retentionMs = dayMs;
/** A stamp older than this, or in the future, means that the clock was or is wrong. */
const credibleMs = 30 * dayMs;

/** Which share an item of the tray belongs to, and when it came: stored with it. */
export interface ShareStamp {
  readonly id: string;
  /** In ms since 1970. */
  readonly at: number;
}

/** The fields of the manifest's `share_target`, unvalidated: the page validates them. */
export interface SharedFields {
  readonly type: "fields";
  readonly title: string;
  readonly text: string;
  readonly url: string;
}

/** What is shared: its fields, or one of its files. */
export type SharedItem = SharedFields | { readonly type: "file"; readonly file: File };

/** A share as stored by the service worker; the page turns it into an item of the tray. */
export type SharedRecord = SharedItem & { readonly share: ShareStamp };

/** The size of the store's content. */
export interface PendingSize {
  readonly count: number;
  readonly bytes: number;
}

/** Where records are stored. */
export interface SharedStore {
  /** Counts the pending records, after deleting those older than a day. */
  pendingSize(): Promise<PendingSize>;
  /** The pending records of shares that came since a time, in ms since 1970; anything may have written them. */
  since(at: number): Promise<readonly unknown[]>;
  add(record: SharedRecord): Promise<void>;
  close(): void;
}

/** Opens the tray's store, as the service worker uses it. */
export async function openSharedStore(name: string = sharedDatabase.name): Promise<SharedStore> {
  const { version, upgrade } = sharedDatabase;
  const database = await openDB<SharedSchema>(name, version, { upgrade });
  return {
    async pendingSize() {
      const { store, done } = database.transaction("items", "readwrite");
      const [keys, all] = await Promise.all([store.getAllKeys(), store.getAll()]);
      await Promise.all([...keys.filter((_, i) => isStale(all[i])).map((key) => store.delete(key)), done]);
      const values = all.filter((value) => !isStale(value));
      return { count: values.length, bytes: values.reduce<number>((sum, value) => sum + bytesOf(value), 0) };
    },
    async since(at) {
      const all = await database.getAll("items");
      return all.filter((value) => (stampOf(value)?.at ?? 0) >= at);
    },
    async add(record) {
      await database.add("items", record);
    },
    close: () => database.close(),
  };
}

function bytesOf(value: unknown): number {
  if (typeof value !== "object" || value === null || !("file" in value)) return 0;
  return value.file instanceof File ? value.file.size : 0;
}

/** The stamp of a stored record; null for one stored by an older version. */
export function stampOf(record: unknown): ShareStamp | null {
  if (typeof record !== "object" || record === null || !("share" in record)) return null;
  const { share } = record;
  if (typeof share !== "object" || share === null || !("id" in share) || !("at" in share)) return null;
  return typeof share.id === "string" && typeof share.at === "number" ? { id: share.id, at: share.at } : null;
}

/** Whether a record has been pending for more than a day, if the clock can be trusted. */
export function isStale(record: unknown): boolean {
  const stamp = stampOf(record);
  return stamp !== null && isCredible(stamp) && Date.now() - stamp.at > retentionMs;
}

/** Whether a stamp's time is plausible; otherwise it is replaced, and the day starts again. */
export function isCredible({ at }: ShareStamp): boolean {
  const ageMs = Date.now() - at;
  return ageMs >= 0 && ageMs <= credibleMs;
}
