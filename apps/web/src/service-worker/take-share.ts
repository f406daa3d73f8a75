import type { SharedFields, SharedRecord, SharedStore } from "./shared-store.ts";

/** Limits of the tray: a page can be made to send forms here repeatedly. */
const itemsMax = 200;
const bytesMax = 512 * 2 ** 20;
/** In characters; more than the page keeps of each field. */
const letters = { title: 1_000, text: 200 * 1_024, url: 4_096 } as const;

/**
 * Stores an incoming share as far as the limits allow: text first, then files in order. Fields that the
 * manifest does not name are dropped, and so are files in text fields.
 * @returns how many items could not be stored.
 */
export async function takeShare(
  form: FormData,
  store: Pick<SharedStore, "waiting" | "add">,
): Promise<{ readonly leftOut: number }> {
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
  const waiting = await store.waiting();
  let places = itemsMax - waiting.count;
  let bytes = bytesMax - waiting.bytes;
  const texts: SharedRecord[] = hasText && places-- > 0 ? [{ ...fields, share }] : [];
  const fitting: SharedRecord[] = [];
  for (const file of files) {
    if (places <= 0 || file.size > bytes) continue;
    places -= 1;
    bytes -= file.size;
    fitting.push({ type: "file", file, share });
  }
  const stored = await storeMost(store, texts, fitting);
  return { leftOut: files.length + (hasText ? 1 : 0) - stored };
}

function textOf(form: FormData, field: keyof typeof letters): string {
  const value = form.get(field);
  return typeof value === "string" ? value.slice(0, letters[field]) : "";
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
