/** What {@link writeHistory} writes: as many messages with each person. */
export interface History {
  readonly people: readonly { readonly clientId: string; readonly name: string }[];
  readonly messageCount: number;
  readonly kind: "texts" | "files";
}

/**
 * Evaluated in a page of the app: writes conversations into the browser's database, as packages/core/src/messages/stored-chat.ts
 * stores them. Every tenth text has reactions.
 */
export async function writeHistory({ people, messageCount, kind }: History): Promise<void> {
  const profile: { readonly clientId: string } = JSON.parse(localStorage.getItem("profile") ?? "{}");
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open("warren-messages");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const transaction = database.transaction("records", "readwrite");
  const store = transaction.objectStore("records");
  const firstAt = Date.now() - messageCount * 60_000;
  for (const { clientId: other, name } of people) {
    const contact = { clientId: other, name, avatar: null, createdAt: firstAt };
    store.put({ key: `contact/${other}`, group: "contacts", order: firstAt, value: contact });
    store.put({ key: `read/${other}`, group: "reads", order: 0, value: { readUntil: Date.now() } });
    for (let index = 0; index < messageCount; index++) {
      const at = firstAt + index * 60_000;
      const client = index % 3 === 0 ? profile.clientId : other;
      const id = `history-${other}-${index}`;
      const deliveries = client === other ? {} : { [other]: { status: "received" } };
      const head = { id, conversation: other, client, createdAt: at, sortedAt: at, deliveries };
      const key = `${client}/${id}`;
      const place = { key, group: `messages/${other}`, order: at };
      if (kind === "texts") {
        const data = `This is message ${index}. ${"Some words more. ".repeat(index % 7)}`;
        const reaction = { emoji: ["👍", "❤️"], at };
        const reactions = { [profile.clientId]: reaction, [other]: reaction };
        const value = { ...head, type: "text", data, ...(index % 10 === 0 && { reactions }) };
        store.put({ ...place, value });
        continue;
      }
      const fid = `history-file-${other}-${index}`;
      const file = { fid, fileName: `message ${index}.bin`, fileSize: 1e6, mimeType: "", lastModified: at };
      const offers = { [other]: { state: "complete" } };
      const value = { ...head, type: "file", file: { ...file, chunkSize: 524_288 }, offers };
      store.put({ ...place, subject: fid, value });
    }
  }
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
  });
  database.close();
}
