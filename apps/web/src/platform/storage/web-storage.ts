import type { KeyValueStorage } from "@warren/core";

/**
 * Key-value storage over a Web Storage area. If the area is denied, or a write fails, the value is kept in
 * memory for the lifetime of the page.
 * @param open reads the area; browsers that deny it throw here.
 * @param onDenied called once, with the first value that cannot be persisted.
 */
export function webStorage(open: () => Storage, onDenied: (reason: unknown) => void): KeyValueStorage {
  /** Values that the area rejected; null hides one it still has. */
  const unsaved = new Map<string, string | null>();
  let isReported = false;

  const attempt = <T>(
    use: (area: Storage) => T,
  ): { readonly done: true; readonly value: T } | { readonly done: false } => {
    try {
      return { done: true, value: use(open()) };
    } catch (reason) {
      if (!isReported) onDenied(reason);
      isReported = true;
      return { done: false };
    }
  };

  return {
    read(key) {
      const own = unsaved.get(key);
      if (own !== undefined) return own;
      const read = attempt((area) => area.getItem(key));
      return read.done ? read.value : null;
    },
    write(key, value) {
      if (attempt((area) => area.setItem(key, value)).done) unsaved.delete(key);
      else unsaved.set(key, value);
    },
    remove(key) {
      if (attempt((area) => area.removeItem(key)).done) unsaved.delete(key);
      else unsaved.set(key, null);
    },
  };
}

/** Storage that persists between visits. `onDenied` is called once when something cannot be persisted. */
export function localKeyValueStorage(onDenied: (reason: unknown) => void): KeyValueStorage {
  return webStorage(() => localStorage, onDenied);
}

/** Storage of this tab that persists across reloads. Denied storage loses nothing, so it is not reported. */
export function sessionKeyValueStorage(): KeyValueStorage {
  return webStorage(
    () => sessionStorage,
    () => {},
  );
}
