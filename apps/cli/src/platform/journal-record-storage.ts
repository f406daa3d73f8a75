import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { deserialize, serialize } from "node:v8";
import {
  type RecordChanges,
  type RecordRange,
  type RecordStorage,
  SerialQueue,
  type StoredRecord,
} from "@warren/core";
import { MemoryRecordStorage } from "@warren/core/memory-record-storage";
import { writeAtomically } from "./atomic-file.ts";
import { storageErrorOf, systemCodeOf } from "./disk-error.ts";

/** A change as the journal holds it. */
type Entry =
  | readonly [kind: "write", changes: RecordChanges]
  | readonly [kind: "add", record: StoredRecord, further: RecordChanges]
  | readonly [kind: "delete-groups", groups: readonly string[], further: RecordChanges];

const lengthBytes = 4;
const checksumBytes = 8;
const headBytes = lengthBytes + checksumBytes;

/**
 * Records in memory, and in a journal of their changes: one frame a change, so that a change survives a crash whole or
 * not at all. At each start the journal is replaced by one that holds what is left. One process may use it at a time.
 */
export class JournalRecordStorage implements RecordStorage {
  readonly #path: string;
  readonly #memory = new MemoryRecordStorage();
  #opening: Promise<FileHandle> | null = null;
  #endsAt = 0;
  readonly #changes = new SerialQueue();

  constructor(path: string) {
    this.#path = path;
  }

  async list(group: string, range?: RecordRange): Promise<StoredRecord[]> {
    return (await this.#read()).list(group, range);
  }

  async get(keys: readonly string[]): Promise<StoredRecord[]> {
    return (await this.#read()).get(keys);
  }

  async about(subjects: readonly string[]): Promise<StoredRecord[]> {
    return (await this.#read()).about(subjects);
  }

  async countAfter(group: string, order: number): Promise<number> {
    return (await this.#read()).countAfter(group, order);
  }

  async groups(): Promise<string[]> {
    return (await this.#read()).groups();
  }

  async write(changes: RecordChanges): Promise<void> {
    await this.#change(["write", changes]);
  }

  addIfAbsent(record: StoredRecord, further: RecordChanges = {}): Promise<boolean> {
    return this.#change(["add", record, further]);
  }

  async deleteGroups(groups: readonly string[], further: RecordChanges = {}): Promise<void> {
    await this.#change(["delete-groups", groups, further]);
  }

  close(): void {
    const closing = this.#opening;
    this.#opening = null;
    this.#changes.run(async () => (await closing)?.close()).catch(() => {});
  }

  /** Everything written before is read. */
  async #read(): Promise<MemoryRecordStorage> {
    await this.#changes.settled();
    await this.#open().catch((thrown: unknown) => {
      throw storageErrorOf(thrown);
    });
    return this.#memory;
  }

  #change(entry: Entry): Promise<boolean> {
    return this.#changes.run(async () => {
      try {
        const frame = frameOf(entry);
        const file = await this.#open();
        if (entry[0] === "add" && (await this.#memory.get([entry[1].key])).length > 0) return false;
        await file.write(frame, 0, frame.length, this.#endsAt).catch(async (thrown: unknown) => {
          await file.truncate(this.#endsAt);
          throw thrown;
        });
        this.#endsAt += frame.length;
        return await apply(entry, this.#memory);
      } catch (thrown) {
        throw storageErrorOf(thrown);
      }
    });
  }

  #open(): Promise<FileHandle> {
    this.#opening ??= this.#load().catch((thrown: unknown) => {
      this.#opening = null; // the next call tries again
      throw thrown;
    });
    return this.#opening;
  }

  async #load(): Promise<FileHandle> {
    for (const entry of entriesIn(journalAt(this.#path))) await apply(entry, this.#memory);
    const put: StoredRecord[] = [];
    for (const group of await this.#memory.groups()) put.push(...(await this.#memory.list(group)));
    const compact = put.length === 0 ? new Uint8Array(0) : frameOf(["write", { put }]);
    writeAtomically(this.#path, compact);
    this.#endsAt = compact.length;
    return open(this.#path, "r+");
  }
}

function apply(entry: Entry, memory: MemoryRecordStorage): Promise<boolean> {
  if (entry[0] === "add") return memory.addIfAbsent(entry[1], entry[2]);
  const changing = entry[0] === "write" ? memory.write(entry[1]) : memory.deleteGroups(entry[1], entry[2]);
  return changing.then(() => true);
}

function journalAt(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

function frameOf(entry: Entry): Buffer {
  const content = serialize(entry);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, checksumOf(content), content]);
}

/** The entries up to the first that a crash cut short. */
function* entriesIn(journal: Buffer): Generator<Entry> {
  for (let at = 0; at + headBytes <= journal.length; ) {
    const content = journal.subarray(at + headBytes, at + headBytes + journal.readUInt32BE(at));
    if (!checksumOf(content).equals(journal.subarray(at + lengthBytes, at + headBytes))) return;
    yield deserialize(content) as Entry;
    at += headBytes + content.length;
  }
}

function checksumOf(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest().subarray(0, checksumBytes);
}
