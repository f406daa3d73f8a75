import type { RecordChanges, RecordStorage, StoredRecord } from "../ports/record-storage.ts";

/** Records that live as long as this object; what is put is cloned, as IndexedDB does. */
export class MemoryRecordStorage implements RecordStorage {
  readonly #records = new Map<string, StoredRecord>();

  async list(group: string): Promise<StoredRecord[]> {
    return [...this.#records.values()]
      .filter((record) => record.group === group)
      .sort((a, b) => a.order - b.order || (a.key < b.key ? -1 : 1))
      .map((record) => structuredClone(record));
  }

  async groups(): Promise<string[]> {
    return [...new Set([...this.#records.values()].map((record) => record.group))];
  }

  async write(changes: RecordChanges): Promise<void> {
    this.#apply(changes);
  }

  async addIfAbsent(record: StoredRecord, further: RecordChanges = {}): Promise<boolean> {
    if (this.#records.has(record.key)) return false;
    this.#apply({ put: [record, ...(further.put ?? [])], delete: further.delete ?? [] });
    return true;
  }

  async deleteGroup(group: string, further: RecordChanges = {}): Promise<void> {
    const inGroup = [...this.#records.values()].filter((record) => record.group === group);
    const keys = inGroup.map(({ key }) => key);
    this.#apply({ ...further, delete: [...keys, ...(further.delete ?? [])] });
  }

  close(): void {}

  /** Clones everything first, so that a value that cannot be cloned changes nothing. */
  #apply(changes: RecordChanges): void {
    const puts = (changes.put ?? []).map((record) => structuredClone(record));
    for (const record of puts) this.#records.set(record.key, record);
    for (const key of changes.delete ?? []) this.#records.delete(key);
  }
}
