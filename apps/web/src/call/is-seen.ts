import type { Call } from "@warren/core";

/** Whether anybody shares something with me, or watches or hears what I share. */
export function isSeenOrSeeing({ store }: Call): boolean {
  const { local, remote } = store.getState();
  return remote.length > 0 || local.some(({ watchers }) => watchers.length > 0);
}
