import { useTransferTotals } from "../../files/transfers/use-transfer-totals.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useUnread } from "../../people/attention.ts";
import { useRoomName } from "../../room/room-name.ts";
import { useDocumentTitle } from "../../ui/hooks/use-document-title.ts";
import { useThrottled } from "../../ui/hooks/use-throttled.ts";
import { useOptionalStore, useRoom, useStore, useWarren } from "../../wiring/warren-context.ts";

/** Whether my microphone or a screen of mine is being sent. */
function useIsLive(): boolean {
  const call = useStore(useWarren().call.store);
  const isLive = useOptionalStore(call?.store, ({ local }) =>
    local.some(({ kind, muted, lost }) => !muted && !lost && (kind === "microphone" || kind === "screen")),
  );
  return isLive === true;
}

/**
 * Sets the title: "● (3) 45% · harbour · Warren". Renders nothing; a separate component, so that moving files
 * re-render nothing else.
 */
export function PageTitle() {
  const t = useT();
  const unread = useUnread();
  const name = useRoomName();
  const format = useFormat();
  const { count, fraction } = useTransferTotals();
  // Each new title makes the browser repaint its tabs and notify everything that watches them.
  const throttledFraction = useThrottled(count === 0 ? null : fraction);
  const room = useRoom();
  const base = "roomId" in room ? t("title.room", { room: name }) : t("title.app");
  const title =
    throttledFraction === null
      ? base
      : t("title.progress", { percent: format.percent(throttledFraction), title: base });
  const counted = unread > 0 ? t("title.unread", { count: unread, title }) : title;
  useDocumentTitle(useIsLive() ? t("title.live", { title: counted }) : counted);
  return null;
}
