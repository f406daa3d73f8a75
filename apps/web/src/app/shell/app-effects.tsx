import { Rings } from "../../call/rings.tsx";
import { ChatEvents } from "../../chat/chat-events.tsx";
import { useAutomaticSaving } from "../../files/save/use-automatic-saving.ts";
import { Notifications } from "../../notifications/notifications.tsx";
import { ShareTrayBar } from "../../share/share-tray-bar.tsx";
import { lazy } from "../../wiring/lazy.tsx";
import { LazyPart } from "../../wiring/lazy-part.tsx";
import { useStore, useWarren } from "../../wiring/warren-context.tsx";
import { useLeaveGuard } from "./use-leave-guard.ts";

const CallInShell = lazy(async () => (await import("../../call/call-in-shell.tsx")).CallInShell);
const CallTile = lazy(async () => (await import("../../call/call-tile.tsx")).CallTile);

/** What every page where people are met does: events, calls, transfers, items from other apps. */
export function AppEffects() {
  const warren = useWarren();
  const call = useStore(warren.call.store);
  const isCalling = useStore(warren.call.ringing.store, ({ outgoing }) => outgoing !== null);
  useLeaveGuard();
  useAutomaticSaving();
  return (
    <>
      <ChatEvents />
      <Notifications />
      <Rings />
      {call && (
        <LazyPart>
          <CallInShell call={call} />
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
}
