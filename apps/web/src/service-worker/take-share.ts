import type { SharedFields, SharedRecord, SharedStore } from "./shared-store.ts";

/** What may wait in the tray: a page can be made to send forms here, again and again. */
const itemsMax = 200;
const bytesMax = 512 * 2 ** 20;
/** Longer than what the page keeps of any field; in letters. */
const letters = { title: 1_000, text: 200 * 1_024, url: 4_096 } as const;

/**
 * Stores what another app shares, as far as there is a place for it: text first, then files in their order. Fields that
 * the manifest does not name, and files in the place of text, are dropped.
 * @returns how many things could not be taken.
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
  // A form without a choice of file sends an empty one without a name.
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

/** Each file by itself, so that one the disk has no room for costs no other. @returns how many were stored. */
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
      // The disk is full, or the browser keeps nothing here: the page shows how many are missing.
    }
  }
  return stored;
}
