import { type ClientId, clientIdSchema, z } from "@warren/protocol";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import { readJson } from "../shared/read-json.ts";

const storageKey = "inviters";
/** Links that were opened and whose inviter never came; the oldest are forgotten. */
const invitersMax = 32;

const storedSchema = z.catch(z.array(clientIdSchema), []);

/** Whom the links that were opened here named as their inviter, until they are met. */
export class Invitations {
  readonly #storage: KeyValueStorage;
  #inviters: readonly ClientId[];

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
    this.#inviters = storedSchema.parse(readJson(storage, storageKey)).slice(-invitersMax);
  }

  /** A link that was opened names this client as the one who made it. */
  pin(clientId: ClientId): void {
    this.#save([...this.#inviters.filter((id) => id !== clientId), clientId].slice(-invitersMax));
  }

  has(clientId: ClientId): boolean {
    return this.#inviters.includes(clientId);
  }

  forget(clientId: ClientId): void {
    if (this.has(clientId)) this.#save(this.#inviters.filter((id) => id !== clientId));
  }

  #save(inviters: readonly ClientId[]): void {
    this.#inviters = inviters;
    this.#storage.write(storageKey, JSON.stringify(inviters));
  }
}
