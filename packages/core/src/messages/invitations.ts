import { type ClientId, clientIdSchema, v } from "@warren/protocol";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import { readJson } from "../shared/storage/read-json.ts";

const storageKey = "inviters";
/** Opened links whose inviter has not appeared yet; the oldest are dropped. */
const invitersMax = 32;

const storedSchema = v.fallback(v.array(clientIdSchema), []);

/** The inviters named by links opened here, until we meet them. */
export class Invitations {
  readonly #storage: KeyValueStorage;
  #inviters: readonly ClientId[];

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
    this.#inviters = v.parse(storedSchema, readJson(storage, storageKey)).slice(-invitersMax);
  }

  /** Records the client that an opened link names as its creator. */
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
