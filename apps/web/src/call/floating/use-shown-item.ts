import { type Call, type CallState, isTakingPart } from "@warren/core";
import { isSound } from "@warren/protocol";
import { useState } from "react";
import { useOptionalStore } from "../../wiring/warren-context.ts";
import { type StageItem, stageItems, tileItem } from "../stage/stage-items.ts";

/** Who spoke last in the call one is in, who stays while nobody speaks; null while one agreed to see or hear nothing of it. */
export function useShownItem(call: Call | null): StageItem | null {
  const state = useOptionalStore(call?.store, (whole) => whole);
  const [speaker, setSpeaker] = useState<string | null>(null);
  const items = state !== null && isTakingPart(state) ? stageItems(agreedTo(state)) : [];
  const speaking = items.find(({ isSpeaking }) => isSpeaking)?.id;
  if (speaking !== undefined && speaking !== speaker) setSpeaker(speaking);
  return tileItem(items, speaker);
}

/** Without the pictures that one has not agreed to see. */
function agreedTo(state: CallState): CallState {
  return state.isVideoEnabled
    ? state
    : { ...state, remote: state.remote.filter(({ kind }) => isSound(kind)) };
}
