import { clearCaches } from "./clear-caches.ts";
import { requestErasing, requestMemoryOnly } from "./next-load.ts";

/** Missing outside secure contexts, whatever the types say. */
const storage = (): Partial<StorageManager> | undefined => navigator.storage;

/** What this browser keeps for the app, and the ways to be rid of it. */
export const browserData = {
  async usage() {
    const estimate = await storage()?.estimate?.();
    if (estimate?.usage === undefined || estimate.quota === undefined) return null;
    return { usedBytes: estimate.usage, freeBytes: Math.max(0, estimate.quota - estimate.usage) };
  },
  async isPersisted() {
    return (await storage()?.persisted?.()) ?? false;
  },
  async persist() {
    return (await storage()?.persist?.()) ?? false;
  },
  clearCaches,
  eraseAll() {
    requestErasing();
    location.assign(import.meta.env.BASE_URL);
  },
  goOnInMemory() {
    requestMemoryOnly();
    location.reload();
  },
};
