/** Small durable texts by key with synchronous access: localStorage in a browser. The adapter reports quota errors. */
export interface KeyValueStorage {
  read(key: string): string | null;
  write(key: string, value: string): void;
  remove(key: string): void;
}
