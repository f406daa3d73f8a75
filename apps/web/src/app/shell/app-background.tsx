import { memo } from "react";
import { Rings } from "../../call/rings.tsx";
import { ChatEffects } from "../../chat/chat-effects.ts";
import { useAutomaticSaving } from "../../files/save/use-automatic-saving.ts";
import { Notifications } from "../../notifications/notifications.ts";
import { ShareTrayBar } from "../../share/share-tray-bar.tsx";
import { LazyPart } from "../../wiring/lazy-part.tsx";
import { lazyWithPreload } from "../../wiring/lazy-with-preload.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { useLeaveGuard } from "./use-leave-guard.ts";

const CallBackground = lazyWithPreload(() => import("../../call/call-background.tsx"));
const CallTile = lazyWithPreload(() => import("../../call/call-tile.tsx"));

/** The parts of the app on every page where people are met: chat effects, notifications, calls, transfers, items from other apps. */
export const AppBackground = memo(function AppBackground() {
  const warren = useWarren();
  const call = useStore(warren.call.store);
  const isCalling = useStore(warren.call.ringing.store, ({ outgoing }) => outgoing !== null);
  useLeaveGuard();
  useAutomaticSaving();
  return (
    <>
      <ChatEffects />
      <Notifications />
      <Rings />
      {call && (
        <LazyPart>
          <CallBackground call={call} />
        </LazyPart>
      )}
      {(call || isCalling) && (
        <LazyPart>
          <CallTile call={call} />
        </LazyPart>
      )}
      <ShareTrayBar />
    </>
  );
});
