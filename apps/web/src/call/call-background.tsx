import type { Call } from "@warren/core";
import { useLocation } from "wouter";
import { useWakeLock } from "../ui/hooks/use-wake-lock.ts";
import { paths } from "../wiring/paths.ts";
import { useStore } from "../wiring/warren-context.ts";
import { CallEffects } from "./call-effects.ts";
import { CallSounds } from "./call-sounds.tsx";
import { PictureInPicture } from "./stage/picture-in-picture.tsx";
import { useCallShortcuts } from "./use-call-shortcuts.ts";

/** The parts of a call on every page that need no space on the screen: sounds, toasts, shortcuts, and picture-in-picture. */
export default function CallBackground({ call }: { readonly call: Call }) {
  const isOnStage = useLocation()[0] === paths.call.path;
  const { remote, isVideoEnabled } = useStore(call.store);
  const hasPictures = remote.some(({ kind }) => kind === "screen" || kind === "camera");
  useWakeLock(isOnStage && isVideoEnabled && hasPictures);
  useCallShortcuts(call, isOnStage);
  return (
    <>
      <CallSounds call={call} />
      <CallEffects call={call} />
      <PictureInPicture call={call} />
    </>
  );
}
