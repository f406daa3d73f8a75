import type { Call } from "@warren/core";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useWakeLock } from "../ui/hooks/use-wake-lock.ts";
import { paths } from "../wiring/paths.ts";
import { isShortcut, isTyping } from "../wiring/shortcuts/shortcuts.ts";
import { useStore } from "../wiring/warren-context.tsx";
import { CallEvents } from "./call-events.tsx";
import { CallSounds } from "./call-sounds.tsx";
import { PictureInPicture } from "./stage/picture-in-picture.tsx";
import { useCallActions } from "./use-call-actions.ts";

/** The parts of a call on every page that need no place: sounds, toasts, shortcuts, and picture-in-picture. */
export function CallInShell({ call }: { readonly call: Call }) {
  const isOnStage = useLocation()[0] === paths.call.path;
  const { remote, isVideoEnabled } = useStore(call.store);
  useWakeLock(
    isOnStage && isVideoEnabled && remote.some(({ kind }) => kind === "screen" || kind === "camera"),
  );
  useCallShortcuts(call, isOnStage);
  return (
    <>
      <CallSounds call={call} />
      <CallEvents call={call} />
      <PictureInPicture call={call} />
    </>
  );
}

/** Elements that the space bar activates. */
const pressable = "button, summary, [role=menuitem], [role=slider], [role=switch], [role=option], video";

/** M, V and S, and the space bar for push-to-talk. Off the stage only active devices can be toggled. */
function useCallShortcuts(call: Call, isOnStage: boolean): void {
  const actions = useCallActions(call);
  const latest = useRef({ actions, isOnStage });
  latest.current = { actions, isOnStage };
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    let isHeld = false;
    const release = (): void => {
      if (isHeld) latest.current.actions.setMuted(true);
      isHeld = false;
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      const { actions: does, isOnStage: onStage } = latest.current;
      if (event.defaultPrevented || isTyping(event) || document.querySelector("[role=dialog]") !== null)
        return;
      if (isShortcut(event, "pushToTalk")) {
        const isOnControl = event.target instanceof Element && event.target.closest(pressable) !== null;
        if (isOnControl || does.microphone === undefined) return;
        event.preventDefault();
        if (event.repeat || !does.isMuted) return;
        isHeld = true;
        does.setMuted(false);
      } else if (event.repeat) return;
      else if (isShortcut(event, "mute") && (onStage || does.microphone)) does.toggleMicrophone();
      else if (isShortcut(event, "camera") && (onStage || does.camera)) does.toggleCamera();
      else if (isShortcut(event, "shareScreen") && onStage) does.shareWithoutMenu();
    };
    window.addEventListener("keydown", onKeyDown, { signal });
    window.addEventListener("keyup", (event) => isShortcut(event, "pushToTalk") && release(), { signal });
    window.addEventListener("blur", release, { signal });
    return () => {
      release();
      listening.abort();
    };
  }, []);
}
