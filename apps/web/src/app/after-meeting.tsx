import type { Call } from "@warren/core";
import { useEffect, useSyncExternalStore } from "react";
import { Rings } from "../call/rings.tsx";
import { ChatNews } from "../chat/chat-news.tsx";
import type { EarlyNews } from "../chat/early-news.ts";
import { recallDoneTransfers } from "../files/transfers/transfer-rows.ts";
import { useAutomaticSaving } from "../files/use-automatic-saving.ts";
import { ShareTrayBar } from "../share/share-page.tsx";
import { useDevice } from "../ui/device-context.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { useStore, useWarren } from "../ui/warren-context.tsx";
import { CodeRequest } from "./shell/banners.tsx";
import { useLeaveGuard } from "./shell/use-leave-guard.ts";

const callInShell = onDemand(() => import("../call/call-in-shell.tsx"));

/** What the shell shows and does above every page once people have met: news, transfers, the call, items from other apps. */
export function AfterMeeting({ early }: { readonly early: EarlyNews }) {
  const warren = useWarren();
  const { tabStorage } = useDevice();
  const call = useStore(warren.call.store);
  useLeaveGuard();
  useAutomaticSaving(early.transfers);
  useEffect(() => recallDoneTransfers(warren, tabStorage), [warren, tabStorage]);
  return (
    <>
      <ChatNews early={early} />
      <Rings />
      {call && <CallOnDemand call={call} />}
      <ShareTrayBar />
    </>
  );
}

function CallOnDemand({ call }: { readonly call: Call }) {
  const loaded = useSyncExternalStore(callInShell.subscribe, callInShell.get);
  return (
    <>
      {loaded && <loaded.CallInShell call={call} />}
      <CodeRequest load={callInShell.load} isLoaded={loaded !== undefined} />
    </>
  );
}
