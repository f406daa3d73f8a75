import { clearCaches } from "./clear-caches.ts";
import { requestErasing, requestMemoryOnly } from "./next-load.ts";

/** Missing outside secure contexts, although the types declare it. */
const storage = (): Partial<StorageManager> | undefined => navigator.storage;

/** What this browser stores for the app, and how to delete it. */
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
  continueInMemory() {
    requestMemoryOnly();
    location.reload();
  },
};
