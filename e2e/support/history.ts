import type { Page } from "@playwright/test";

/**
 * Writes an earlier conversation with a person into the browser's database, "message 0." being the oldest; visible
 * after the next page load.
 */
export async function writeHistory(page: Page, from: string, count: number): Promise<void> {
  await page.evaluate(
    async ({ from, count }) => {
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
        const head = { id, conversation: from, client: from, createdAt: at, sortedAt: at, deliveries: {} };
        const value = { ...head, type: "text", data };
        store.put({ key: `${from}/${id}`, group: `messages/${from}`, order: at, value });
      }
      store.put({ key: `read/${from}`, group: "reads", order: 0, value: { readUntil: Date.now() } });
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onerror = () => reject(transaction.error);
      });
      database.close();
    },
    { from, count },
  );
}

/** The client id of the app in a page. */
export function clientIdOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const profile: { readonly clientId?: string } = JSON.parse(localStorage.getItem("profile") ?? "{}");
    return profile.clientId ?? "";
  });
}
