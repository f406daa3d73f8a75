import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ClientId, clientIdSchema, v } from "@warren/protocol";
import { writeAtomically } from "./atomic-file.ts";
import { systemCodeOf } from "./disk-error.ts";

const personSchema = v.object({ id: clientIdSchema, name: v.string(), since: v.string() });
const fileSchema = v.array(personSchema);
/** Somebody whose key was confirmed here. */
export type TrustedPerson = v.InferOutput<typeof personSchema>;

/** The people trusted on this machine, by all profiles. A running receiver reads them again when it meets somebody. */
export class TrustedPeople {
  readonly path: string;

  constructor(folder: string) {
    this.path = join(folder, "trusted.json");
  }

  /** @throws Error if the file is damaged: nobody may lose or gain trust by that. */
  all(): readonly TrustedPerson[] {
    try {
      return v.parse(fileSchema, JSON.parse(readFileSync(this.path, "utf8")));
    } catch (error) {
      if (systemCodeOf(error) === "ENOENT") return [];
      throw new Error(`${this.path} is damaged: mend or delete it.`, { cause: error });
    }
  }

  add(id: ClientId, name: string): TrustedPerson {
    const person = { id, name, since: new Date().toISOString() };
    this.#write([...this.#without(id), person]);
    return person;
  }

  remove(id: ClientId): void {
    this.#write(this.#without(id));
  }

  /** Those whose name, or the beginning of whose id, is `who`. */
  find(who: string): readonly TrustedPerson[] {
    const isId = /^[0-9a-f-]{8,36}$/i.test(who);
    return this.all().filter(({ id, name }) => name === who || (isId && id.startsWith(who.toLowerCase())));
  }

  #without(id: ClientId): readonly TrustedPerson[] {
    return this.all().filter((person) => person.id !== id);
  }

  #write(people: readonly TrustedPerson[]): void {
    writeAtomically(this.path, `${JSON.stringify(people, null, 2)}\n`);
  }
}
