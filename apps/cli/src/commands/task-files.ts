import type { FileId } from "@warren/protocol";
import type { ReceivedItem, Task } from "../platform/data-folder.ts";

/**
 * What the runs of one command were offered: how it was received, or null while that is open. It is stored at each change,
 * so that a run that was killed is followed by one that knows whether everything is here.
 */
export class TaskFiles {
  readonly #files: Map<FileId, ReceivedItem | null>;
  readonly #store: (files: NonNullable<Task["files"]>) => void;

  constructor(files: Task["files"], store: (files: NonNullable<Task["files"]>) => void) {
    this.#files = new Map(Object.entries(files ?? {}));
    this.#store = store;
  }

  get received(): readonly ReceivedItem[] {
    return [...this.#files.values()].filter((item) => item !== null);
  }

  get hasOpen(): boolean {
    return this.received.length < this.#files.size;
  }

  isOpen(fid: FileId): boolean {
    return this.#files.get(fid) === null;
  }

  noteOffered(fid: FileId): void {
    if (!this.#files.has(fid)) this.#set(fid, null);
  }

  /** @returns false if a run that was killed noted it already */
  noteReceived(fid: FileId, item: ReceivedItem): boolean {
    const isNew = !this.#files.has(fid) || this.isOpen(fid);
    if (isNew) this.#set(fid, item);
    return isNew;
  }

  /** It was refused, or will not come any more. */
  forget(fid: FileId): void {
    if (!this.isOpen(fid)) return;
    this.#files.delete(fid);
    this.#save();
  }

  /** Forgets what is open, and not among these. */
  keepOpen(fids: ReadonlySet<FileId>): void {
    for (const fid of [...this.#files.keys()]) if (!fids.has(fid)) this.forget(fid);
  }

  #set(fid: FileId, item: ReceivedItem | null): void {
    this.#files.set(fid, item);
    this.#save();
  }

  #save(): void {
    // What went to the output of this run would be missing in that of a later one.
    const kept = [...this.#files].filter(([, item]) => item?.path !== null);
    this.#store(Object.fromEntries(kept));
  }
}
