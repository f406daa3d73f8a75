let attempts = 0;

/**
 * Imports a module; where that fails, once more under a new address, because browsers remember a failure with the old
 * one for as long as the page lives. Their message says the address. Rejects when the module cannot be fetched now; the
 * next call tries again.
 */
export async function importAgain<Module>(importIt: () => Promise<Module>): Promise<Module> {
  try {
    return await importIt();
  } catch (failure) {
    const [address] = failure instanceof Error ? (/https?:\S+\.js/.exec(failure.message) ?? []) : [];
    if (address === undefined) throw failure;
    return import(/* @vite-ignore */ `${address}?again=${++attempts}`);
  }
}
