import type { Call, Warren } from "@warren/core";

/** The last start of devices for each call; leaving ends it, so that none starts after it. */
const starts = new WeakMap<Warren["call"], object>();

/**
 * Begins to start devices for a call.
 * @returns whether they are still wanted: the call was not left meanwhile, and no other one begun
 */
export function beginStart(roomCall: Warren["call"]): () => boolean {
  const start = {};
  starts.set(roomCall, start);
  return () => starts.get(roomCall) === start;
}

/** Ends my part in a call: nothing is shared, heard or seen any more, nobody is called, and no device starts any more. */
export function leaveCall(call: Call | null, roomCall: Warren["call"]): void {
  starts.delete(roomCall);
  roomCall.ringing.hangUp();
  if (call === null) return;
  for (const { id } of call.store.getState().local) call.stop(id);
  call.setAudioEnabled(false);
  call.setVideoEnabled(false);
  call.setAudience(null);
}
