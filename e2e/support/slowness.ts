import type { BrowserContext } from "@playwright/test";

const codeMs = Number(process.env.WARREN_SLOW_CODE ?? 0);
const storageMs = Number(process.env.WARREN_SLOW_STORAGE ?? 0);

/**
 * Makes what the pages of a context wait for slow, where the environment asks for it: what a test, or the app, takes for
 * granted on a fast machine is then seen to fail. `WARREN_SLOW_STORAGE` is how many ms a change of a database takes about,
 * `WARREN_SLOW_CODE` how many ms a script of the app does.
 */
export async function slowDown(context: BrowserContext): Promise<void> {
  if (storageMs > 0) await context.addInitScript(slowDownStorage, storageMs);
  if (codeMs > 0)
    await context.route(/\/assets\/.*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, around(codeMs)));
      await route.continue().catch(() => {}); // the page has gone
    });
}

function around(ms: number): number {
  return ms * (0.5 + Math.random());
}

/** Runs in the page: a change that was not handed over is under way for a while, and none is confirmed before that. */
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
    // A transaction lives as long as something is asked of it.
    const goOn = (): void => {
      if (performance.now() > endsAt) return;
      try {
        transaction
          .objectStore(transaction.objectStoreNames[0] ?? "")
          .count()
          .addEventListener("success", goOn);
      } catch {
        // It was handed over.
      }
    };
    goOn();
    const confirm = (event: Event): void => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      setTimeout(() => transaction.dispatchEvent(new Event("complete")), endsAt - performance.now());
    };
    transaction.addEventListener("complete", confirm);
    return transaction;
  };
}
