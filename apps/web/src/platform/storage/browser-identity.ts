import {
  generateIdentityKey,
  type Identity,
  identityOf,
  type KeyValueStorage,
  unverifiableIdentity,
} from "@warren/core";
import { clientIdSchema, v } from "@warren/protocol";
import type { DBSchema } from "idb";
import { identityDatabase } from "../network/socket-ahead.ts";
import { IndexedDatabase } from "./indexed-database.ts";

interface IdentitySchema extends DBSchema {
  keys: { key: string; value: CryptoKeyPair };
}

const ownKey = "own";
const idKey = "client_id";

/** The identity of this browser, and how to store it again after the browser deleted its databases. */
export interface BrowserIdentity {
  readonly identity: Identity;
  /** Does nothing if a key is stored. */
  readonly restore: () => Promise<void>;
}

/**
 * The identity of this browser: a key created once, whose private half no script can read. Without a secure
 * context or a database it is an unverifiable id, stored in `storage`.
 */
export async function browserIdentity(
  databaseName: string,
  storage: KeyValueStorage,
): Promise<BrowserIdentity> {
  // The DOM types promise `subtle`; it is missing outside a secure context.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (subtle !== undefined) {
    try {
      const keyPair = await storedKeyPair(databaseName, () => generateIdentityKey(subtle));
      return {
        identity: await identityOf(keyPair, subtle),
        restore: async () => void (await storedKeyPair(databaseName, async () => keyPair)),
      };
    } catch {
      // A browser that stores no keys can still join rooms; peers see that it cannot be verified.
    }
  }
  const stored = storage.read(idKey);
  const identity = await unverifiableIdentity(v.is(clientIdSchema, stored) ? stored : undefined);
  storage.write(idKey, identity.clientId);
  return { identity, restore: async () => {} };
}

/** The stored key pair; created and stored if there is none. */
async function storedKeyPair(
  databaseName: string,
  make: () => Promise<CryptoKeyPair>,
): Promise<CryptoKeyPair> {
  const { version, store } = identityDatabase;
  const database = new IndexedDatabase<IdentitySchema>(databaseName, version, (upgraded) => {
    upgraded.createObjectStore(store);
  });
  try {
    const stored = await database.use((open) => open.get(store, ownKey));
    if (stored) return stored;
    const fresh = await make();
    return await database.use(async (open) => {
      const transaction = open.transaction(store, "readwrite");
      // Another tab may have created one meanwhile; the first one is used.
      const earlier = await transaction.store.get(ownKey);
      if (!earlier) await transaction.store.put(fresh, ownKey);
      await transaction.done;
      return earlier ?? fresh;
    });
  } finally {
    database.close();
  }
}
