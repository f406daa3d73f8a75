import { useT } from "../../i18n/use-t.ts";
import { TransferList, TransferSpeeds } from "./transfer-list.tsx";

/** The tray's content on a wide screen: header and list. */
export function TransferTray() {
  const t = useT();
  return (
    <div className="flex max-h-[min(640px,calc(100vh-32px))] flex-col">
      <div className="flex min-h-13 shrink-0 items-center justify-between border-b border-line px-4">
        <h2 className="text-heading">{t("nav.transfers")}</h2>
        <TransferSpeeds />
      </div>
      <div className="min-h-0 overflow-y-auto">
        <TransferList />
      </div>
    </div>
  );
}
