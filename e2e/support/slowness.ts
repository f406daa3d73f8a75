import type { BrowserContext } from "@playwright/test";

const codeMs = Number(process.env.WARREN_SLOW_CODE ?? 0);
const storageMs = Number(process.env.WARREN_SLOW_STORAGE ?? 0);

/**
 * Slows down the pages of a context if the environment requests it, to reveal assumptions of a test or the app that
 * hold only on a fast machine. `WARREN_SLOW_STORAGE` is the approximate delay of a database change in ms,
 * `WARREN_SLOW_CODE` the delay of each app script in ms.
 */
export async function slowDown(context: BrowserContext): Promise<void> {
  if (storageMs > 0) await context.addInitScript(slowDownStorage, storageMs);
  if (codeMs > 0)
    await context.route(/\/assets\/.*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, around(codeMs)));
      await route.continue().catch(() => {}); // the page is gone
    });
}

function around(ms: number): number {
  return ms * (0.5 + Math.random());
}

/** Runs in the page: an uncommitted change remains in progress for a while, and none is confirmed before that. */
function slowDownStorage(ms: number): void {
  const begin: (
    this: IDBDatabase,
    stores: string | Iterable<string>,
    mode?: IDBTransactionMode,
    options?: IDBTransactionOptions,
  ) => IDBTransaction = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, stores, mode, options) {
    const transaction = begin.call(this, stores, mode, options);
    if (mode !== "readwrite") return transaction;
    const endsAt = performance.now() + ms * (0.5 + Math.random());
    // A transaction lives as long as it has pending requests.
    const keepAlive = (): void => {
      if (performance.now() > endsAt) return;
      try {
        transaction
          .objectStore(transaction.objectStoreNames[0] ?? "")
          .count()
          .addEventListener("success", keepAlive);
      } catch {
        // It was already committed.
      }
    };
    keepAlive();
    const confirm = (event: Event): void => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      setTimeout(() => transaction.dispatchEvent(new Event("complete")), endsAt - performance.now());
    };
    transaction.addEventListener("complete", confirm);
    return transaction;
  };
}
