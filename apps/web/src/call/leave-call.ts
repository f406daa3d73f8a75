import type { Call, Warren } from "@warren/core";

/** Ends my part in a call: nothing is shared, heard or seen any more, and nobody is called. */
export function leaveCall(call: Call, { ringing }: Pick<Warren["call"], "ringing">): void {
  ringing.hangUp();
  for (const { id } of call.store.getState().local) call.stop(id);
  call.setAudioEnabled(false);
  call.setVideoEnabled(false);
  call.setAudience(null);
}
