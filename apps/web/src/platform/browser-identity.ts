import {
  generateIdentityKey,
  type Identity,
  identityOf,
  type KeyValueStorage,
  loadUnverifiableIdentity,
} from "@warren/core";
import { clientIdSchema } from "@warren/protocol";
import type { DBSchema } from "idb";
import { IndexedDatabase } from "./indexed-database.ts";

interface IdentitySchema extends DBSchema {
  keys: { key: string; value: CryptoKeyPair };
}

const ownKey = "own";
const idKey = "client_id";

/**
 * Who this browser is: a key made once, whose private half no script can read. Without a secure context or a database
 * it is an id that nobody can check, kept in `storage`.
 */
export async function browserIdentity(databaseName: string, storage: KeyValueStorage): Promise<Identity> {
  // The DOM types promise `subtle`; outside a secure context there is none.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (subtle !== undefined) {
    try {
      return await identityOf(await keptKeyPair(databaseName, subtle), subtle);
    } catch {
      // A browser that keeps no keys still gets into rooms; others see that it cannot be verified.
    }
  }
  const kept = clientIdSchema.safeParse(storage.read(idKey));
  const identity = await loadUnverifiableIdentity(kept.success ? kept.data : undefined);
  storage.write(idKey, identity.clientId);
  return identity;
}

async function keptKeyPair(databaseName: string, subtle: SubtleCrypto): Promise<CryptoKeyPair> {
  const database = new IndexedDatabase<IdentitySchema>(databaseName, 1, (upgraded) => {
    upgraded.createObjectStore("keys");
  });
  try {
    const kept = await database.use((open) => open.get("keys", ownKey));
    if (kept) return kept;
    const fresh = await generateIdentityKey(subtle);
    return await database.use(async (open) => {
      const transaction = open.transaction("keys", "readwrite");
      // Another tab may have made one meanwhile; the first counts.
      const earlier = await transaction.store.get(ownKey);
      if (!earlier) await transaction.store.put(fresh, ownKey);
      await transaction.done;
      return earlier ?? fresh;
    });
  } finally {
    database.close();
  }
}
