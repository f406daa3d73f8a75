import { toWarrenError, WarrenError } from "@warren/protocol";
import { type DBSchema, type IDBPDatabase, type OpenDBCallbacks, openDB } from "idb";

/** An IndexedDB database that opens on first use, and again after the browser has closed it. */
export class IndexedDatabase<S extends DBSchema> {
  readonly #name: string;
  readonly #version: number;
  readonly #upgrade: NonNullable<OpenDBCallbacks<S>["upgrade"]>;
  #database: Promise<IDBPDatabase<S>> | null = null;

  constructor(name: string, version: number, upgrade: NonNullable<OpenDBCallbacks<S>["upgrade"]>) {
    this.#name = name;
    this.#version = version;
    this.#upgrade = upgrade;
  }

  /**
   * Runs work with the open database. Rejects with `storage-full` at the quota, `db-not-initialized` if it
   * does not open, otherwise `storage-failed`.
   */
  async use<T>(work: (database: IDBPDatabase<S>) => Promise<T>): Promise<T> {
    const database = await this.#open().catch((failure: unknown) => {
      throw asStorageError(failure, "db-not-initialized");
    });
    try {
      return await work(database);
    } catch (failure) {
      throw asStorageError(failure, "storage-failed");
    }
  }

  close(): void {
    const database = this.#database;
    this.#database = null;
    database?.then((open) => open.close()).catch(() => {}); // one that never opened needs no closing
  }

  #open(): Promise<IDBPDatabase<S>> {
    if (this.#database !== null) return this.#database;
    const forget = (): void => {
      if (this.#database === opening) this.#database = null;
    };
    const opening = openDB<S>(this.#name, this.#version, {
      upgrade: this.#upgrade,
      // Another tab wants to upgrade or delete the database: it waits until this one closes.
      blocking: () => this.close(),
      terminated: forget,
    });
    this.#database = opening;
    opening.catch(forget);
    return opening;
  }
}

/** Whether this browser keeps databases; not in some private windows, or if the user turned it off. */
export async function keepsDatabases(): Promise<boolean> {
  const database = new IndexedDatabase("warren-probe", 1, () => {});
  try {
    await database.use(async () => {});
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

/**
 * Commits a transaction at once, so that it completes even if the page closes; otherwise a page closed right
 * after a change loses what the disk has not confirmed.
 */
export function handOver(transaction: Partial<Pick<IDBTransaction, "commit">>): void {
  // Missing in older browsers, although the types declare it.
  transaction.commit?.();
}

function asStorageError(failure: unknown, otherwise: "db-not-initialized" | "storage-failed"): WarrenError {
  const reason = failure instanceof Error ? failure.name : String(failure);
  return reason === "QuotaExceededError"
    ? new WarrenError("storage-full", {}, { cause: failure })
    : toWarrenError(failure, otherwise, { reason });
}
