import type { RecordChanges, RecordRange, RecordStorage, StoredRecord } from "../../ports/record-storage.ts";

/** Records that live as long as the object, for browsers without a database and for tests. Values are cloned, as in IndexedDB. */
export class MemoryRecordStorage implements RecordStorage {
  readonly #records = new Map<string, StoredRecord>();

  async list(group: string, range: RecordRange = {}): Promise<StoredRecord[]> {
    const { from = -Infinity, before = Infinity, first = Infinity, last = Infinity } = range;
    const records = [...this.#records.values()]
      .filter((record) => record.group === group && record.order >= from && record.order < before)
      .sort((a, b) => a.order - b.order || (a.key < b.key ? -1 : 1));
    const lowest = records.at(-last)?.order ?? -Infinity;
    const highest = records[first - 1]?.order ?? Infinity;
    const listed = records.filter(({ order }) => order >= lowest && order <= highest);
    return listed.map((record) => structuredClone(record));
  }

  async get(keys: readonly string[]): Promise<StoredRecord[]> {
    return [...new Set(keys)].flatMap((key) => structuredClone(this.#records.get(key)) ?? []);
  }

  async about(subjects: readonly string[]): Promise<StoredRecord[]> {
    const wanted = new Set(subjects);
    return [...this.#records.values()]
      .filter(({ subject }) => subject !== undefined && wanted.has(subject))
      .map((record) => structuredClone(record));
  }

  async countAfter(group: string, order: number): Promise<number> {
    return [...this.#records.values()].filter((record) => record.group === group && record.order > order)
      .length;
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

  async deleteGroups(groups: readonly string[], further: RecordChanges = {}): Promise<void> {
    const inGroups = [...this.#records.values()].filter((record) => groups.includes(record.group));
    const keys = inGroups.map(({ key }) => key);
    this.#apply({ ...further, delete: [...keys, ...(further.delete ?? [])] });
  }

  close(): void {}

  /** Clones everything first, so that a failing clone changes nothing. */
  #apply(changes: RecordChanges): void {
    const puts = (changes.put ?? []).map((record) => structuredClone(record));
    for (const record of puts) this.#records.set(record.key, record);
    for (const key of changes.delete ?? []) this.#records.delete(key);
  }
}
