import { type FileMessage, isRoomConversation } from "@warren/core";
import { useRef } from "react";
import { useShallow } from "zustand/react/shallow";
import { transferRows } from "../../file-state/transfer-rows.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { useName } from "../../people/use-person.ts";
import { useTab } from "../../tab/tab-context.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { useFocusRecovery } from "../../ui/hooks/use-focus-recovery.ts";
import { useThrottled } from "../../ui/hooks/use-throttled.ts";
import { CheckCheckIcon, ReceiveIcon, SendIcon } from "../../ui/icons.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { ProgressBar } from "../../ui/progress.tsx";
import { useProfile, useStore, useWarren } from "../../wiring/warren-context.ts";
import { FileActions } from "../card/file-actions.tsx";
import type { FileCardView } from "../card/file-card-view.ts";
import { FileMark } from "../card/file-mark.tsx";
import { lineClass, tones } from "../card/status-line.ts";
import { useFileCard } from "../card/use-file-card.ts";
import { iconOf } from "../file-kind.ts";
import { useTreeName } from "../tree/tree-name.ts";
import { TreeNameLine } from "../tree/tree-name-line.tsx";
import { useTreeEntries } from "../tree/use-tree-entries.ts";
import { useLiveTransfers } from "../use-live-transfers.ts";
import { transferSpeeds } from "./transfer-batch.ts";

/** All transfers of this page: active and stalled ones with their actions, and completed ones below. */
export function TransferList() {
  const t = useT();
  const { chat } = useWarren();
  const { doneTransfers } = useTab();
  const { clientId } = useProfile();
  const conversations = useStore(chat.store, (state) => state.conversations);
  const { open, done } = transferRows({ conversations }, useLiveTransfers(), useStore(doneTransfers.store));
  const row = (message: FileMessage) => (
    <TransferRow key={message.key} message={message} isMine={message.client === clientId} />
  );
  if (open.length + done.length === 0) {
    return <p className="px-4 py-6 text-center text-compact text-text-2">{t("transfers.none")}</p>;
  }
  return (
    <div>
      {open.length > 0 && (
        <ul aria-label={t("transfers.open")} className="divide-y divide-line">
          {open.map(row)}
        </ul>
      )}
      {done.length > 0 && (
        <section aria-label={t("transfers.done")} className={open.length > 0 ? "border-t border-line" : ""}>
          <div className="flex items-center justify-between pt-2 pr-2 pl-4 max-md:pr-3 max-md:pl-5">
            <h3 className="text-meta text-text-2">{t("transfers.done")}</h3>
            <Button size="sm" variant="accent-text" onClick={() => doneTransfers.clear(done)}>
              {t("transfers.clear")}
            </Button>
          </div>
          <ul>{done.map(row)}</ul>
        </section>
      )}
    </div>
  );
}

/** "↓ 24.8 MB/s ↑ 6.1 MB/s", updated once a second. */
export function TransferSpeeds() {
  const t = useT();
  const format = useFormat();
  const { receivedPerSecond, sentPerSecond } = useStore(
    useWarren().transfers.store,
    useShallow(transferSpeeds),
  );
  const received = useThrottled(receivedPerSecond);
  const sent = useThrottled(sentPerSecond);
  if (received === null && sent === null) return null;
  return (
    <p className="flex gap-3 text-meta text-text-2">
      {received !== null && (
        <span className="inline-flex items-center gap-1">
          <ReceiveIcon size={14} />
          <span className="sr-only">{t("transfers.receiving")}</span>
          {format.speed(received)}
        </span>
      )}
      {sent !== null && (
        <span className="inline-flex items-center gap-1">
          <SendIcon size={14} />
          <span className="sr-only">{t("transfers.sending")}</span>
          {format.speed(sent)}
        </span>
      )}
    </p>
  );
}

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

/** All transfers; a sheet on a phone. */
export function TransfersDialog({ dialog }: DialogSlot<never>) {
  const t = useT();
  return (
    <Dialog dialog={dialog} initialFocus="top" title={t("nav.transfers")} closable>
      <TransferSpeeds />
      <div className="-mx-6 mt-3 border-t border-line max-md:-mx-5">
        <TransferList />
      </div>
    </Dialog>
  );
}

const ignore = (): void => {};

interface TransferRowProps {
  readonly message: FileMessage;
  readonly isMine: boolean;
}

/** A transfer in the tray: like its card, with its sender or recipients. */
function TransferRow({ message, isMine }: TransferRowProps) {
  const t = useT();
  const { view, given } = useFileCard(message, isMine, useTreeEntries(message, isMine));
  const name = useTreeName(message.file);
  const Glyph = iconOf(message.file);
  const actions = view.actions.filter((action) => action !== "more");
  const actionsBox = useRef<HTMLDivElement>(null);
  const focusRecovery = useFocusRecovery(actionsBox);
  return (
    <li
      {...focusRecovery}
      // On the narrowest phones the words need the space of the icon.
      className="grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 py-3 pr-3 pl-4 max-md:pr-4 max-md:pl-5 max-[360px]:grid-cols-[minmax(0,1fr)_auto]"
    >
      <span className="flex size-10 items-center justify-center rounded-tile bg-sunken text-text-2 max-[360px]:hidden">
        <Glyph size={18} />
      </span>
      <div className="min-w-0">
        <TreeNameLine file={message.file} className="text-body font-medium" />
        <Line message={message} isMine={isMine} view={view} />
      </div>
      <div ref={actionsBox} className="flex items-center gap-1">
        <FileActions message={given} actions={actions} isSettled={view.isSettled} onDelete={ignore} />
        {view.mark?.kind === "received" && view.label === "complete" && (
          <CheckCheckIcon size={18} className="mx-1 text-text-2" />
        )}
      </div>
      {view.bar !== null && (
        <ProgressBar
          className="col-start-2 -col-end-1 mt-2 mr-1 max-[360px]:col-start-1"
          value={view.bar.fraction}
          tone={view.bar.tone}
          label={t("file.progressLabel", { name })}
          valueText={view.bar.valueText}
        />
      )}
    </li>
  );
}

/** "From Mara, 1.11 of 2.47 GB", with the time left; an error is shown alone, and in full. The speed is said of all, at the top. */
function Line({ message, isMine, view }: TransferRowProps & { readonly view: FileCardView }) {
  const t = useT();
  const [firstPeer = message.client, ...others] = Object.keys(message.offers);
  const onlyName = firstNameOf(useName(isMine ? firstPeer : message.client));
  const isRoom = isRoomConversation(message.conversation) && others.length > 0;
  const name = isRoom ? t("transfers.everyone") : onlyName;
  const timeLeft = useThrottled(view.timeLeft);
  const { mark, label, sub, tone } = view;
  if (tone !== "plain") return <p className={cx("text-meta text-pretty break-words", tones[tone])}>{sub}</p>;
  const words = isMine ? t("transfers.to", { name, text: sub }) : t("transfers.from", { name, text: sub });
  // That a file arrived is why it is listed as done.
  const isSaid = (label === "complete" && !view.isSettled) || label === "transferring";
  const end = isSaid ? null : mark;
  return (
    <div className={cx(lineClass({ label, mark: end }), "text-meta", tones[tone])}>
      <p title={words} className={cx("min-w-0 max-w-full truncate", end && "order-1")}>
        {words}
      </p>
      {label === "transferring" && <span className="h-4 whitespace-nowrap">{timeLeft}</span>}
      {end && <FileMark {...end} />}
    </div>
  );
}
