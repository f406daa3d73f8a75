import { useCallback, useSyncExternalStore } from "react";
import { useEarlyNews } from "../../chat/early-news.ts";
import { transferBatch, useTransferBatch } from "../../files/transfers/use-transfer-totals.ts";
import { untilMet } from "../../room/meeting.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { useWarren } from "../../ui/warren-context.tsx";
import { CodeRequest } from "./banners.tsx";

const afterMeeting = onDemand(() => import("../after-meeting.tsx"));
const loadLater = () => Promise.all([afterMeeting.load(), transferBatch.load()]);

/** What a page where people are met needs, but nobody before meeting: fetched after it, or 3 s after the first render. */
export function Later() {
  const { room } = useWarren();
  const load = useCallback(() => untilMet(room).then(loadLater), [room]);
  const loaded = useSyncExternalStore(afterMeeting.subscribe, afterMeeting.get);
  const batch = useTransferBatch();
  const early = useEarlyNews(loaded !== undefined);
  return (
    <>
      {loaded && <loaded.AfterMeeting early={early} />}
      <CodeRequest load={load} isLoaded={loaded !== undefined && batch !== undefined} />
    </>
  );
}
