import type { ThreadPort } from "../transfer/thread-port.ts";

/** Both ends of a wire between a page and a worker, in one thread: messages are copied, what is transferred is not. */
export function createThreadPair(): { readonly page: ThreadPort; readonly worker: ThreadPort } {
  const toPage = new Set<(message: unknown) => void>();
  const toWorker = new Set<(message: unknown) => void>();
  return { page: portOf(toWorker, toPage), worker: portOf(toPage, toWorker) };
}

function portOf(
  there: ReadonlySet<(message: unknown) => void>,
  here: Set<(message: unknown) => void>,
): ThreadPort {
  return {
    post(message, transfer = []) {
      const copy = copyOf(message, new Set<unknown>(transfer));
      queueMicrotask(() => {
        for (const listener of there) listener(copy);
      });
    },
    onMessage(listener) {
      here.add(listener);
      return () => here.delete(listener);
    },
  };
}

/** A structured clone, except that what is transferred, and blobs, which are references anyway, stay what they are. */
function copyOf(value: unknown, transferred: ReadonlySet<unknown>): unknown {
  if (transferred.has(value) || value instanceof Blob) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => copyOf(item, transferred));
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(item, transferred)]));
  return structuredClone(value);
}
