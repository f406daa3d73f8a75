import { fileStateOfTransfer, fileStates } from "../../file-state/file-state.ts";
import { useTransferTotals } from "../../files/transfers/use-transfer-totals.ts";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { TransfersIcon } from "../../ui/icons.ts";
import { Popover } from "../../ui/overlays/popover.tsx";
import { ProgressRing } from "../../ui/progress.tsx";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { LazyPart } from "../../wiring/lazy-part.tsx";
import { lazyWithPreload } from "../../wiring/lazy-with-preload.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";

const loadTransfers = () => import("../../files/transfers/transfer-list.tsx");
const TransferTray = lazyWithPreload(async () => ({ default: (await loadTransfers()).TransferTray }));
const TransfersDialog = lazyWithPreload(async () => ({ default: (await loadTransfers()).TransfersDialog }));

function useWords(): { readonly word: string; readonly label: string; readonly fraction: number | null } {
  const t = useT();
  const { count, fraction } = useTransferTotals();
  const name = t("nav.transfers");
  if (count === 0) return { word: name, label: name, fraction: null };
  const word = t("nav.transfersActive", { count });
  return { word, label: t("nav.transfersWith", { count }), fraction };
}

/** At the foot of the rail: a ring and "2 active" while files move; opens the tray. */
export function TransfersButton() {
  const { word, label, fraction } = useWords();
  const trigger = (
    <button
      type="button"
      aria-label={label}
      className={cx(
        "flex h-[50px] w-14 flex-col items-center justify-center gap-1 rounded-row text-micro transition-colors",
        fraction === null ? "text-text-2 hover:bg-hover hover:text-text" : "bg-selected text-accent-text",
      )}
    >
      {fraction === null ? <TransfersIcon size={20} /> : <ProgressRing value={fraction} size={18} />}
      {word}
    </button>
  );
  return (
    <Popover trigger={trigger} label={label} side="right" align="end" width="lg" padding="none">
      <LazyPart>
        <TransferTray />
      </LazyPart>
    </Popover>
  );
}

/** Replaces the mark on narrow screens while files move, are queued or are stalled; opens the sheet. */
export function TransfersRing({ children }: { readonly children: React.ReactNode }) {
  const { label, fraction } = useWords();
  const isAnyWaiting = useStore(useWarren().transfers.store, (transfers) =>
    [...transfers.values()].some((transfer) => {
      const { tray } = fileStates[fileStateOfTransfer(transfer)];
      return tray === "queued" || tray === "stalled";
    }),
  );
  if (fraction === null && !isAnyWaiting) return children;
  return (
    <button
      type="button"
      aria-label={label}
      className="-m-2 flex size-11 items-center justify-center rounded-full"
      onClick={() => void openDialog(TransfersDialog, {})}
    >
      {fraction === null ? <TransfersIcon size={22} /> : <ProgressRing value={fraction} size={24} />}
    </button>
  );
}
