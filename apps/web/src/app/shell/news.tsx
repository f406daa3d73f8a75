import { useEffect } from "react";
import { Rings } from "../../call/rings.tsx";
import { ChatNews } from "../../chat/chat-news.tsx";
import { recallDoneTransfers } from "../../files/transfers/transfer-rows.ts";
import { useAutomaticSaving } from "../../files/use-automatic-saving.ts";
import { Alerts } from "../../notifications/alerts.tsx";
import { ShareTrayBar } from "../../share/share-tray-bar.tsx";
import { useDevice } from "../../ui/device-context.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { LazyPart } from "../../ui/lazy-part.tsx";
import { useStore, useWarren } from "../../ui/warren-context.tsx";
import { useLeaveGuard } from "./use-leave-guard.ts";

const CallInShell = lazy(async () => (await import("../../call/call-in-shell.tsx")).CallInShell);

/** What every page where people are met does: news, calls, transfers, items from other apps. */
export function News() {
  const warren = useWarren();
  const { tabStorage } = useDevice();
  const call = useStore(warren.call.store);
  useLeaveGuard();
  useAutomaticSaving();
  useEffect(() => recallDoneTransfers(warren, tabStorage), [warren, tabStorage]);
  return (
    <>
      <ChatNews />
      <Alerts />
      <Rings />
      {call && (
        <LazyPart>
          <CallInShell call={call} />
        </LazyPart>
      )}
      <ShareTrayBar />
    </>
  );
}
