import { IndexedDatabase } from "./indexed-database.ts";

/** Whether this browser keeps databases; not in some private windows, or if the user turned it off. */
export async function keepsDatabases(): Promise<boolean> {
  const database = new IndexedDatabase("warren-probe", 1, () => {});
  try {
    await database.use(async () => {});
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}
