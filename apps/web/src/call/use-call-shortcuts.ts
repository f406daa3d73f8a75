import type { Call } from "@warren/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { useWindowEvent } from "../ui/hooks/use-window-event.ts";
import { isShortcut, isTyping } from "../wiring/shortcuts/shortcuts.ts";
import { useCallActions } from "./use-call-actions.ts";

/** Elements that the space bar activates. */
const pressable = "button, summary, [role=menuitem], [role=slider], [role=switch], [role=option], video";

/** M, V and S, and the space bar for push-to-talk. Off the stage only active devices can be toggled. */
export function useCallShortcuts(call: Call, isOnStage: boolean): void {
  const actions = useCallActions(call);
  const { microphone, camera } = actions;
  const pushToTalk = usePushToTalk(actions);
  useWindowEvent("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event) || document.querySelector("[role=dialog]") !== null) return;
    if (isShortcut(event, "pushToTalk")) pushToTalk.press(event);
    else if (event.repeat) return;
    else if (isShortcut(event, "mute") && (isOnStage || microphone)) actions.toggleMicrophone();
    else if (isShortcut(event, "camera") && (isOnStage || camera)) actions.toggleCamera();
    else if (isShortcut(event, "shareScreen") && isOnStage) actions.shareWithoutMenu();
  });
  useWindowEvent("keyup", (event) => isShortcut(event, "pushToTalk") && pushToTalk.release());
}

/** Unmutes a muted microphone while a key is held. */
function usePushToTalk({ microphone, isMuted, setMuted }: ReturnType<typeof useCallActions>) {
  const isHeld = useRef(false);
  const press = (event: KeyboardEvent): void => {
    const isOnControl = event.target instanceof Element && event.target.closest(pressable) !== null;
    if (isOnControl || microphone === undefined) return;
    event.preventDefault();
    if (event.repeat || !isMuted) return;
    isHeld.current = true;
    setMuted(false);
  };
  const release = (): void => {
    if (isHeld.current) setMuted(true);
    isHeld.current = false;
  };
  // The key may be let go of in another window, or the call may end first.
  useWindowEvent("blur", release);
  const releaseAtEnd = useEffectEvent(release);
  useEffect(() => () => releaseAtEnd(), []);
  return { press, release };
}
