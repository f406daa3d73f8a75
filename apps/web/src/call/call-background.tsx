import type { Call } from "@warren/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation } from "wouter";
import { useWakeLock } from "../ui/hooks/use-wake-lock.ts";
import { useWindowEvent } from "../ui/hooks/use-window-event.ts";
import { paths } from "../wiring/paths.ts";
import { isShortcut, isTyping } from "../wiring/shortcuts/shortcuts.ts";
import { useStore } from "../wiring/warren-context.ts";
import { CallEvents } from "./call-events.ts";
import { CallSounds } from "./call-sounds.tsx";
import { PictureInPicture } from "./stage/picture-in-picture.tsx";
import { useCallActions } from "./use-call-actions.ts";

/** The parts of a call on every page that need no place: sounds, toasts, shortcuts, and picture-in-picture. */
export default function CallBackground({ call }: { readonly call: Call }) {
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
  const { microphone, camera } = actions;
  /** Whether the space bar is held to talk. */
  const isHeld = useRef(false);
  const release = (): void => {
    if (isHeld.current) actions.setMuted(true);
    isHeld.current = false;
  };
  useWindowEvent("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event) || document.querySelector("[role=dialog]") !== null) return;
    if (isShortcut(event, "pushToTalk")) {
      const isOnControl = event.target instanceof Element && event.target.closest(pressable) !== null;
      if (isOnControl || microphone === undefined) return;
      event.preventDefault();
      if (event.repeat || !actions.isMuted) return;
      isHeld.current = true;
      actions.setMuted(false);
    } else if (event.repeat) return;
    else if (isShortcut(event, "mute") && (isOnStage || microphone)) actions.toggleMicrophone();
    else if (isShortcut(event, "camera") && (isOnStage || camera)) actions.toggleCamera();
    else if (isShortcut(event, "shareScreen") && isOnStage) actions.shareWithoutMenu();
  });
  useWindowEvent("keyup", (event) => isShortcut(event, "pushToTalk") && release());
  useWindowEvent("blur", release);
  const releaseAtEnd = useEffectEvent(release);
  useEffect(() => () => releaseAtEnd(), []);
}
