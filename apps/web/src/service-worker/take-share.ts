import {
  type SharedFields,
  type SharedItem,
  type SharedRecord,
  type SharedStore,
  stampOf,
} from "./shared-store.ts";

/** Limits of the tray: a page can be made to send forms here repeatedly. */
const itemsMax = 200;
const bytesMax = 512 * 2 ** 20;
/** In UTF-16 units; more than the page keeps of each field, which it cuts between graphemes and links. */
const fieldLengths = { title: 1_000, text: 256 * 1_024, url: 4_096 } as const;

/** Browsers sometimes post a share twice, within seconds. */
const repeatedMs = 10_000;
/** How much of two files is compared at once. */
const comparedBytes = 2 ** 20;

type Store = Pick<SharedStore, "pendingSize" | "since" | "add">;

let underWay: Promise<unknown> = Promise.resolve();

/**
 * Stores an incoming share as far as the limits allow: text first, then files in order. Fields that the
 * manifest does not name are dropped, and so are files in text fields. The same share posted again within seconds is one.
 * @returns how many items could not be stored.
 */
export function takeShare(form: FormData, store: Store): Promise<{ readonly leftOut: number }> {
  // Of two that are stored at once, neither would find the other.
  const taking = underWay.then(() => take(form, store));
  underWay = taking.catch(() => {});
  return taking;
}

async function take(form: FormData, store: Store): Promise<{ readonly leftOut: number }> {
  const fields: SharedFields = {
    type: "fields",
    title: textOf(form, "title"),
    text: textOf(form, "text"),
    url: textOf(form, "url"),
  };
  const hasText = fields.title + fields.text + fields.url !== "";
  // A form without a selected file sends an empty one without a name.
  const files = form
    .getAll("files")
    .filter((value) => value instanceof File)
    .filter(({ name, size }) => name !== "" || size > 0);
  const share = { id: crypto.randomUUID(), at: Date.now() };
  const whole = [...(hasText ? [fields] : []), ...files.map((file) => ({ type: "file", file }) as const)];
  if (await isStored(whole, await store.since(share.at - repeatedMs))) return { leftOut: 0 };
  const pending = await store.pendingSize();
  let itemsLeft = itemsMax - pending.count;
  let bytesLeft = bytesMax - pending.bytes;
  const texts: SharedRecord[] = hasText && itemsLeft-- > 0 ? [{ ...fields, share }] : [];
  const fitting: SharedRecord[] = [];
  for (const file of files) {
    if (itemsLeft <= 0 || file.size > bytesLeft) continue;
    itemsLeft -= 1;
    bytesLeft -= file.size;
    fitting.push({ type: "file", file, share });
  }
  const stored = await storeMost(store, texts, fitting);
  return { leftOut: files.length + (hasText ? 1 : 0) - stored };
}

/** Whether one of the stored shares is the same as these items. */
async function isStored(items: readonly SharedItem[], stored: readonly unknown[]): Promise<boolean> {
  for (const id of new Set(stored.map((record) => stampOf(record)?.id))) {
    const share = stored.filter((record) => stampOf(record)?.id === id);
    if (share.length !== items.length) continue;
    const same = await Promise.all(items.map((item, index) => isSame(item, share[index])));
    if (same.every((one) => one)) return true;
  }
  return false;
}

async function isSame(item: SharedItem, stored: unknown): Promise<boolean> {
  if (typeof stored !== "object" || stored === null) return false;
  const other: Partial<Record<string, unknown>> = { ...stored };
  if (item.type === "fields")
    return item.title === other.title && item.text === other.text && item.url === other.url;
  return other.file instanceof File && (await isSameFile(item.file, other.file));
}

/** Whether two files have the same name, type and bytes. A form gives each a new time of its last change. */
async function isSameFile(one: File, other: File): Promise<boolean> {
  if (one.name !== other.name || one.type !== other.type || one.size !== other.size) return false;
  for (let start = 0; start < one.size; start += comparedBytes) {
    const parts = [one, other].map((file) => file.slice(start, start + comparedBytes).arrayBuffer());
    const [a = new Uint8Array(), b = new Uint8Array()] = (await Promise.all(parts)).map(
      (bytes) => new Uint8Array(bytes),
    );
    if (a.length !== b.length || a.some((byte, index) => byte !== b[index])) return false;
  }
  return true;
}

function textOf(form: FormData, field: keyof typeof fieldLengths): string {
  const value = form.get(field);
  return typeof value === "string" ? value.slice(0, fieldLengths[field]) : "";
}

/**
 * Stores the files one by one, so that one that does not fit does not affect the others.
 * @returns how many were stored.
 */
async function storeMost(
  store: Pick<SharedStore, "add">,
  texts: readonly SharedRecord[],
  files: readonly SharedRecord[],
): Promise<number> {
  let stored = 0;
  for (const record of [...texts, ...files]) {
    try {
      await store.add(record);
      stored += 1;
    } catch {
      // The disk is full, or the browser cannot store anything here: the page shows how many are missing.
    }
  }
  return stored;
}
