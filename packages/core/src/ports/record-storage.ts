/** A durable record. It may have been written by an older version: core parses `value` again. */
export interface StoredRecord {
  /** Unique in the storage. */
  readonly key: string;
  /** Records are listed by group: a conversation, the contacts, the outbox. */
  readonly group: string;
  /** Position within the group, ascending. */
  readonly order: number;
  /** What the record is about, if it can be looked up by that: the file of a message about one. */
  readonly subject?: string;
  /** Any structured-cloneable value. */
  readonly value: unknown;
}

/** Changes that become durable together or not at all. */
export interface RecordChanges {
  readonly put?: readonly StoredRecord[];
  readonly delete?: readonly string[];
}

/** The range of records to list: those with `from` <= order < `before`. */
export interface RecordRange {
  readonly from?: number;
  readonly before?: number;
  /** At most this many, the first or the last ones; more only if orders are equal at the cut. */
  readonly first?: number;
  readonly last?: number;
}

/** Durable records in groups: IndexedDB in a browser. Every method rejects with WarrenError `storage-failed`. */
export interface RecordStorage {
  /** The records of a group, or of a range of it, by ascending `order`, then key. */
  list(group: string, range?: RecordRange): Promise<StoredRecord[]>;
  /** The records under these keys, in any order, without those that do not exist. */
  get(keys: readonly string[]): Promise<StoredRecord[]>;
  /** The records about these subjects, in any order. */
  about(subjects: readonly string[]): Promise<StoredRecord[]>;
  /** The number of records of a group with a higher order. */
  countAfter(group: string, order: number): Promise<number>;
  /** The names of all groups that have records. */
  groups(): Promise<string[]>;
  /** Puts and deletes in one transaction. */
  write(changes: RecordChanges): Promise<void>;
  /** Stores a record unless its key is taken, together with other changes. @returns whether it was stored. */
  addIfAbsent(record: StoredRecord, further?: RecordChanges): Promise<boolean>;
  /** Deletes whole groups, together with other changes. */
  deleteGroups(groups: readonly string[], further?: RecordChanges): Promise<void>;
  close(): void;
}
