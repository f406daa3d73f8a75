import { toWarrenError } from "@warren/protocol";
import type { CancelTimer, Clock } from "../../ports/clock.ts";
import type { RecordChanges, RecordStorage, StoredRecord } from "../../ports/record-storage.ts";
import { Emitting } from "../emitter.ts";
import type { Log } from "../log.ts";

/** The interval between retries. A page gets no event when another program frees disk space. */
const retryMs = 5_000;
/**
 * The most new records waiting for storage; without a limit other clients could fill the memory of a page with a full
 * disk.
 */
const waitingMax = 1_000;

interface RecordWriterDeps {
  readonly storage: Pick<RecordStorage, "write" | "addIfAbsent">;
  readonly clock: Clock;
  readonly log: Log;
}

/** The events of a {@link RecordWriter}. */
export type RecordWriterEvents = {
  /** How many records wait for storage has changed. */
  waiting: [count: number];
  /** Storage has accepted all records that it had refused before. */
  recovered: [];
};

interface WaitingRecord {
  /** Null for a record to be deleted. */
  readonly record: StoredRecord | null;
  /** A new record does not replace one that another tab stored under the same key. */
  readonly isNew: boolean;
}

/**
 * Writes records, and holds those that storage refuses until it accepts them: while the page is open, a full disk
 * delays writes and loses nothing. Of several changes to one record the last one wins.
 */
export class RecordWriter extends Emitting<RecordWriterEvents> {
  readonly #deps: RecordWriterDeps;
  readonly #waiting = new Map<string, WaitingRecord>();
  /** The pending write for each key. A later write replaces an earlier one that fails. */
  readonly #underWay = new Map<string, RecordChanges>();
  readonly #whenStored = new Map<string, Set<() => void>>();
  #cancelRetry: CancelTimer | null = null;
  #isRefused = false;

  constructor(deps: RecordWriterDeps) {
    super();
    this.#deps = deps;
  }

  /**
   * Stores a new record unless its key is taken, together with changes to others.
   * @returns whether it is new; also true if it is still waiting, see {@link stored}.
   * @throws WarrenError `storage-full` or `storage-failed` when too many are waiting.
   */
  async add(record: StoredRecord, { put = [] }: Pick<RecordChanges, "put"> = {}): Promise<boolean> {
    const further = { put };
    for (const { key } of put) {
      this.#waiting.delete(key);
      this.#underWay.set(key, further);
    }
    const isLatest = (key: string) => this.#underWay.get(key) === further;
    try {
      return await this.#deps.storage.addIfAbsent(record, further);
    } catch (thrown) {
      if (this.#waiting.size >= waitingMax) throw thrown;
      const waiting = new Map<string, WaitingRecord>([[record.key, { record, isNew: true }]]);
      for (const other of put)
        if (isLatest(other.key)) waiting.set(other.key, { record: other, isNew: false });
      this.#wait(waiting, thrown);
      return true;
    } finally {
      for (const { key } of put) if (isLatest(key)) this.#underWay.delete(key);
    }
  }

  /** Resolves once a record is durable or deleted; immediately if it is not waiting. */
  stored(key: string): Promise<void> {
    if (!this.#waiting.has(key)) return Promise.resolve();
    return new Promise((resolve) => {
      const resolvers = this.#whenStored.get(key) ?? new Set();
      this.#whenStored.set(key, resolvers.add(resolve));
    });
  }

  /** A record as its last write leaves it; undefined if that is done, or deletes it. */
  unwritten(key: string): StoredRecord | undefined {
    const underWay = this.#underWay.get(key)?.put?.find((record) => record.key === key);
    return underWay ?? this.#waiting.get(key)?.record ?? undefined;
  }

  /** Writes records, now or when storage accepts them. Writes of one key keep their order. */
  write({ put = [], delete: deleted = [] }: RecordChanges): void {
    const changes = {
      put: put.filter((record) => !this.#replaceNew(record.key, record)),
      delete: deleted.filter((key) => !this.#replaceNew(key, null)),
    };
    if (changes.put.length + changes.delete.length > 0) void this.#write(changes);
  }

  /** Deletes records with their group; waiting ones wait on if that fails. @throws what `deleteGroup` throws. */
  async deleteWith(keys: readonly string[], deleteGroup: () => Promise<void>): Promise<void> {
    const dropped = new Map<string, WaitingRecord>();
    for (const key of keys) {
      const waiting = this.#waiting.get(key);
      if (waiting) dropped.set(key, waiting);
      this.#waiting.delete(key);
    }
    this.emit("waiting", this.#waiting.size);
    try {
      await deleteGroup();
    } catch (thrown) {
      if (dropped.size > 0) this.#wait(dropped, thrown);
      throw thrown;
    }
    for (const key of dropped.keys()) this.#settle(key);
  }

  /** Tries the waiting records one last time. */
  async close(): Promise<void> {
    await this.#retry();
    this.#cancelRetry?.();
    this.#cancelRetry = () => {};
  }

  /** Changes a new record that is not stored yet. @returns false if none is waiting under this key. */
  #replaceNew(key: string, record: StoredRecord | null): boolean {
    if (this.#waiting.get(key)?.isNew !== true) return false;
    if (record) this.#waiting.set(key, { record, isNew: true });
    else this.#settle(key);
    return true;
  }

  async #write(changes: { readonly put: StoredRecord[]; readonly delete: string[] }): Promise<boolean> {
    const keys = [...changes.put.map(({ key }) => key), ...changes.delete];
    for (const key of keys) {
      this.#waiting.delete(key);
      this.#underWay.set(key, changes);
    }
    const isLatest = (key: string) => this.#underWay.get(key) === changes;
    try {
      await this.#deps.storage.write(changes);
      for (const key of keys) if (isLatest(key)) this.#settle(key);
      return true;
    } catch (thrown) {
      const waiting = new Map<string, WaitingRecord>();
      for (const record of changes.put)
        if (isLatest(record.key)) waiting.set(record.key, { record, isNew: false });
      for (const key of changes.delete) if (isLatest(key)) waiting.set(key, { record: null, isNew: false });
      this.#wait(waiting, thrown);
      return false;
    } finally {
      for (const key of keys) if (isLatest(key)) this.#underWay.delete(key);
    }
  }

  #wait(records: ReadonlyMap<string, WaitingRecord>, thrown: unknown): void {
    const { clock, log } = this.#deps;
    for (const [key, waiting] of records) this.#waiting.set(key, waiting);
    this.#isRefused = true;
    if (this.#cancelRetry === null) log.warn("chat storage failed", { code: toWarrenError(thrown).code });
    this.#cancelRetry ??= clock.after(retryMs, () => {
      this.#cancelRetry = null;
      void this.#retry();
    });
    this.emit("waiting", this.#waiting.size);
  }

  /** Writes the changes in one transaction, then the new records in order, until storage refuses again. */
  async #retry(): Promise<void> {
    const entries = [...this.#waiting];
    const changed = entries.filter(([, { isNew }]) => !isNew);
    const put = changed.flatMap(([, { record }]) => record ?? []);
    const deleted = changed.filter(([, { record }]) => record === null).map(([key]) => key);
    if (changed.length > 0 && !(await this.#write({ put, delete: deleted }))) return;
    for (const [key, { record, isNew }] of entries)
      if (isNew && record && this.#waiting.has(key) && !(await this.#addWaiting(record))) return;
    if (!this.#isRefused) return;
    this.#isRefused = false;
    this.emit("recovered");
  }

  async #addWaiting(record: StoredRecord): Promise<boolean> {
    const { key } = record;
    try {
      await this.#deps.storage.addIfAbsent(record);
    } catch (thrown) {
      this.#wait(new Map(), thrown);
      return false;
    }
    const now = this.#waiting.get(key)?.record;
    this.#settle(key);
    // It was changed or deleted in the meantime.
    if (now !== record) this.write(now ? { put: [now] } : { delete: [key] });
    return true;
  }

  #settle(key: string): void {
    this.#waiting.delete(key);
    for (const resolve of this.#whenStored.get(key) ?? []) resolve();
    this.#whenStored.delete(key);
    this.emit("waiting", this.#waiting.size);
  }
}
