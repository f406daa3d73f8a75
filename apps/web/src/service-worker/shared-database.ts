import type { DBSchema, IDBPDatabase } from "idb";
import { sharedStore } from "./messages.ts";

export interface SharedSchema extends DBSchema {
  items: { key: number; value: unknown };
}

/** What other apps shared: items in order of arrival, each with a number. The service worker and pages open it. */
export const sharedDatabase = {
  name: sharedStore,
  version: 1,
  upgrade(fresh: IDBPDatabase<SharedSchema>): void {
    fresh.createObjectStore("items", { autoIncrement: true });
  },
} as const;
