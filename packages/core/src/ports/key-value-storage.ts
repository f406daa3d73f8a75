/** Small durable texts by key, read and written at once: localStorage in a browser. Quota errors are the adapter's to report. */
export interface KeyValueStorage {
  read(key: string): string | null;
  write(key: string, value: string): void;
  remove(key: string): void;
}
