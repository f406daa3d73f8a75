import type { Page } from "@playwright/test";

/**
 * Replaces the browser's database of messages by an empty one as the first version made it. In a page of the origin that does
 * not show the app.
 */
export async function makeFirstDatabase(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ends = (request: IDBOpenDBRequest) =>
      new Promise<IDBDatabase>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    await ends(indexedDB.deleteDatabase("warren-messages"));
    const opening = indexedDB.open("warren-messages", 1);
    opening.onupgradeneeded = () => {
      const store = opening.result.createObjectStore("records", { keyPath: "key" });
      store.createIndex("by-group", ["group", "order"]);
    };
    (await ends(opening)).close();
  });
}

/**
 * Writes earlier texts of a person into the browser's database, "message 0." being the oldest; visible after the next page
 * load.
 * @param conversation `everyone`, or by default that with the person
 */
export async function writeHistory(
  page: Page,
  from: string,
  count: number,
  conversation = from,
): Promise<void> {
  await page.evaluate(
    async ({ from, count, conversation }) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open("warren-messages");
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      const transaction = database.transaction("records", "readwrite");
      const store = transaction.objectStore("records");
      const firstAt = Date.now() - count * 60_000;
      for (let index = 0; index < count; index++) {
        const at = firstAt + index * 60_000;
        const id = `history-${index}`;
        const data = `This is message ${index}. ${"Some words more. ".repeat(index % 7)}`;
        const head = { id, conversation, client: from, createdAt: at, sortedAt: at, deliveries: {} };
        const value = { ...head, type: "text", data };
        store.put({ key: `${from}/${id}`, group: `messages/${conversation}`, order: at, value });
      }
      store.put({ key: `read/${conversation}`, group: "reads", order: 0, value: { readUntil: Date.now() } });
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onerror = () => reject(transaction.error);
      });
      database.close();
    },
    { from, count, conversation },
  );
}

/** The client id of the app in a page. */
export function clientIdOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const profile: { readonly clientId?: string } = JSON.parse(localStorage.getItem("profile") ?? "{}");
    return profile.clientId ?? "";
  });
}
