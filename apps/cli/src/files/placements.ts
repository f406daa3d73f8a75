import { appendFileSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { writeAtomically } from "../platform/atomic-file.ts";
import { systemCodeOf } from "../platform/disk-error.ts";
import { flushFolders } from "../platform/durable.ts";

/**
 * Under which name each part of a received file is put, noted before it is moved there. A run that was killed in between is
 * followed by one that finds here what is in its place already, so that nothing is put twice. A note outlasts a loss of power,
 * as a move without one would be that of a part that is gone.
 */
export class Placements {
  readonly #path: string;
  readonly #targets: Map<string, string>;

  /** @param path the file of the notes; null if there are none: nothing has been moved yet */
  static at(path: string): Placements | null {
    try {
      return new Placements(path, notesIn(readFileSync(path, "utf8")));
    } catch (error) {
      if (systemCodeOf(error) === "ENOENT") return null;
      throw error;
    }
  }

  /** Everything is ready to be moved. */
  static begin(path: string): Placements {
    writeAtomically(path, "");
    return new Placements(path, new Map());
  }

  private constructor(path: string, targets: Map<string, string>) {
    this.#path = path;
    this.#targets = targets;
  }

  /** Where a part is, or was to be moved. */
  targetOf(part: string): string | null {
    return this.#targets.get(part) ?? null;
  }

  /** Parts and their targets. Each call waits for the disk. */
  note(placements: readonly (readonly [part: string, target: string])[]): void {
    const added = placements.filter(([part, target]) => this.#targets.get(part) !== target);
    if (added.length === 0) return;
    const lines = added.map((placement) => `\n${JSON.stringify(placement)}`).join("");
    appendFileSync(this.#path, lines, { flush: true });
    for (const [part, target] of added) this.#targets.set(part, target);
  }

  /** Once everything is in its place: makes that outlast a loss of power. */
  async settle(): Promise<void> {
    await flushFolders([...this.#targets.values()].map((target) => dirname(target)));
  }
}

/** The last note of each part; one that was cut short led to no move. */
function notesIn(text: string): Map<string, string> {
  const targets = new Map<string, string>();
  for (const line of text.split("\n")) {
    try {
      const [part, target] = JSON.parse(line) as [string, string];
      targets.set(part, target);
    } catch {
      // Cut short.
    }
  }
  return targets;
}
