import { type ChatMessage, type Doubt, peersOf } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { type ReactNode, useId } from "react";
import { useShallow } from "zustand/react/shallow";
import { wholeOutcome } from "../../file-state/combined-state.ts";
import { personOutcomeText, receivedText } from "../../files/card/file-outcome.ts";
import { useFormat } from "../../i18n/format.ts";
import { errorText } from "../../i18n/i18n.ts";
import type { Translate } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";
import { usePerson } from "../../people/use-person.ts";
import { Dot } from "../../ui/dot.tsx";
import { AlertIcon, CheckCheckIcon, CheckIcon, ClockIcon } from "../../ui/icons.ts";
import { Popover } from "../../ui/overlays/popover.tsx";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import {
  type FileReceipts,
  type Receipt,
  type ReceiptView,
  receiptView,
  type TextReceipts,
} from "./receipt-view.ts";
import { writtenAt } from "./written-at.ts";

interface MessageFooterProps {
  readonly message: ChatMessage;
  readonly isMine: boolean;
  /** The number of messages in the group, of which this is the last. */
  readonly groupSize: number;
}

/** The line under a group: the time, whether it was changed, what cannot be relied on, and the delivery state of my messages. */
export function MessageFooter({ message, isMine, groupSize }: MessageFooterProps) {
  const format = useFormat();
  const time = <time dateTime={new Date(message.createdAt).toISOString()}>{writtenAt(message, format)}</time>;
  return (
    <div className="on-picture mt-1 flex min-h-4 items-center gap-1.5 px-1 text-meta text-text-3">
      {time}
      {message.type === "text" && message.edited !== undefined && <EditedMark at={message.edited} />}
      {message.type === "text" && message.doubt && <DoubtMark doubt={message.doubt} />}
      {message.earlierBy !== undefined && (
        <EarlierMark by={message.earlierBy} isByAuthor={message.earlierBy === message.client} />
      )}
      {isMine && <DeliveryMark message={message} groupSize={groupSize} />}
    </div>
  );
}

function EditedMark({ at }: { readonly at: number }) {
  const t = useT();
  const format = useFormat();
  return (
    <span className="-ml-1.5" title={format.dateTime(at)}>
      <Dot />
      {t("conversation.edited")}
    </span>
  );
}

function DoubtMark({ doubt }: { readonly doubt: Doubt }) {
  const t = useT();
  return (
    <span className="inline-flex items-center gap-1">
      <AlertIcon size={12} className="shrink-0" />
      {t(`conversation.doubt.${doubt}`)}
    </span>
  );
}

/** It was said before I first came to the room. */
function EarlierMark({ by, isByAuthor }: { readonly by: ClientId; readonly isByAuthor: boolean }) {
  const t = useT();
  const { firstName } = usePerson(by);
  return (
    <span className="-ml-1.5">
      <Dot />
      <span>
        {isByAuthor ? t("conversation.earlier") : t("conversation.earlierVia", { name: firstName })}
      </span>
    </span>
  );
}

type DeliveryMarkProps = Omit<MessageFooterProps, "isMine">;

function DeliveryMark({ message, groupSize }: DeliveryMarkProps) {
  const view = useReceiptView(message, groupSize);
  switch (view.kind) {
    case "nothing":
      return null;
    case "not-sent":
      return <SendFailure message={message} reason={errorText(view.error)} />;
    case "nobody":
      return <NobodyReceivedIt />;
    case "nobody-yet":
      return <NobodyHasItYet />;
    case "sending-to-several":
      return <SendingMark />;
    case "only-recipient":
      return <OnlyReceipt clientId={view.clientId} receipt={view.receipt} />;
    case "text-receipts":
      return <TextReceiptList view={view} />;
    case "file-receipts":
      return <FileReceiptList view={view} />;
  }
}

function useReceiptView(message: ChatMessage, groupSize: number): ReceiptView {
  const { chat, room } = useWarren();
  const ownFloor = useStore(chat.ownFloor, (floor) => floor);
  const members = useStore(chat.members, (all) => all);
  const peers = useStore(room.store, peersOf);
  const group = useStore(
    chat.store,
    useShallow(({ conversations }) => {
      // Only files are said together.
      if (message.type !== "file") return [message];
      const messages = conversations[message.conversation]?.messages ?? [];
      const end = messages.findLastIndex(({ key }) => key === message.key) + 1;
      return end === 0 ? [message] : messages.slice(Math.max(0, end - groupSize), end);
    }),
  );
  return receiptView(message, { peers, members, ownFloor, group });
}

function NobodyReceivedIt() {
  const t = useT();
  return (
    <>
      <Dot />
      {t("receipts.nobody")}
    </>
  );
}

function NobodyHasItYet() {
  const t = useT();
  return (
    <>
      <Dot />
      <ClockIcon size={14} className="shrink-0" />
      {t("receipts.nobodyYet")}
    </>
  );
}

function SendingMark() {
  const t = useT();
  return (
    <>
      <ClockIcon size={13} className="stroke-[2.2]" />
      <span className="sr-only">{t("conversation.sending")}</span>
    </>
  );
}

interface ReceiptProps {
  readonly clientId: ClientId;
  readonly receipt: Receipt;
}

/** What the only recipient has of it. */
function OnlyReceipt({ clientId, receipt }: ReceiptProps) {
  const t = useT();
  const { firstName } = usePerson(clientId);
  switch (receipt) {
    case "received":
      return (
        <>
          <CheckCheckIcon size={14} className="stroke-[2.2]" />
          <span className="sr-only">{t("conversation.received")}</span>
        </>
      );
    case "sending":
      return <SendingMark />;
    case "waits":
      return (
        <>
          <ClockIcon size={13} className="stroke-[2.2]" />
          <span>{t("conversation.waitsFor", { name: firstName })}</span>
        </>
      );
    case "not-received":
      return <NobodyReceivedIt />;
    case "shows-no-changes":
      return <span>{t("conversation.showsNoChanges", { name: firstName })}</span>;
  }
}

/** How many recipients have my text, and who; and who is away. */
function TextReceiptList({ view }: { readonly view: TextReceipts }) {
  const t = useT();
  const { firstName } = usePerson(view.away[0] ?? "");
  return (
    <Receipts title={t("receipts.title")} text={receiptsText(view, firstName, t)}>
      {Object.entries(view.receipts).map(([id, receipt]) => (
        <Recipient key={id} clientId={id}>
          <TextReceipt clientId={id} receipt={receipt} />
        </Recipient>
      ))}
    </Receipts>
  );
}

/** @param name of the first who is away. */
function receiptsText({ received, total, away }: TextReceipts, name: string, t: Translate): string {
  const people = away.length;
  if (people === 0) return receivedText(received, total, t);
  const isOne = people === 1;
  if (total === 0)
    return isOne ? t("receipts.waitsForOne", { name }) : t("receipts.waitsForMany", { people });
  return isOne ? t("receipts.away", { received, name }) : t("receipts.awayMany", { received, people });
}

function TextReceipt({ clientId, receipt }: ReceiptProps) {
  const t = useT();
  const { firstName } = usePerson(clientId);
  switch (receipt) {
    case "received":
      return (
        <>
          <CheckIcon size={14} className="text-accent-text" />
          <span className="sr-only">{t("conversation.received")}</span>
        </>
      );
    case "sending":
    case "waits":
      return (
        <>
          <ClockIcon size={14} className="text-text-3" />
          <span className="sr-only">
            {receipt === "sending"
              ? t("conversation.sending")
              : t("conversation.waitsFor", { name: firstName })}
          </span>
        </>
      );
    case "not-received":
      return <span className="text-text-2">{t("receipts.notReceived")}</span>;
    case "shows-no-changes":
      return (
        <span className="basis-full text-text-2">
          {t("conversation.showsNoChanges", { name: firstName })}
        </span>
      );
  }
}

/** The recipients' outcomes for one or several offered files. */
function FileReceiptList({ view: { outcomes, hasCard } }: { readonly view: FileReceipts }) {
  const t = useT();
  const format = useFormat();
  const people = Object.entries(outcomes);
  const isOne = people.every(([, ofPerson]) => ofPerson.length === 1);
  const received = people.filter(([, ofPerson]) => wholeOutcome(ofPerson) === "complete").length;
  const title = t(isOne ? "receipts.titleFile" : "receipts.titleFiles");
  return (
    <Receipts title={title} text={hasCard ? title : receivedText(received, people.length, t)}>
      {people.map(([id, ofPerson]) => (
        <Recipient key={id} clientId={id}>
          <span className={wholeOutcome(ofPerson) === "complete" ? "text-accent-text" : "text-text-2"}>
            {personOutcomeText(ofPerson, t, format)}
          </span>
        </Recipient>
      ))}
    </Receipts>
  );
}

interface ReceiptsProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Receipts({ title, text, children }: ReceiptsProps) {
  return (
    <Popover
      label={title}
      side="top"
      width="sm"
      padding="sm"
      trigger={
        <button
          type="button"
          className="-my-1 -ml-1.5 rounded-kbd py-1 text-start hover:text-text touch:-my-3.5 touch:py-3.5"
        >
          <Dot />
          {text}
        </button>
      }
    >
      <ul>{children}</ul>
    </Popover>
  );
}

interface RecipientProps {
  readonly clientId: ClientId;
  /** The recipient's state. */
  readonly children: ReactNode;
}

function Recipient({ clientId, children }: RecipientProps) {
  const { name } = usePerson(clientId);
  return (
    <li className="flex min-h-8 flex-wrap items-center gap-x-2 px-2 py-1.5 text-compact">
      <span className="min-w-0 flex-1 basis-20 truncate">{name}</span>
      {children}
    </li>
  );
}

function SendFailure({ message, reason }: { readonly message: ChatMessage; readonly reason: string }) {
  const t = useT();
  const { chat } = useWarren();
  const reasonId = useId();
  return (
    <span className="inline-flex items-center gap-1 text-danger" title={reason}>
      <span>
        <span id={reasonId}>
          <span aria-hidden="true">{t("conversation.notSent")}</span>
          <span className="sr-only">{t("conversation.notSentBecause", { reason })}</span>
        </span>
        <Dot />
      </span>
      <button
        type="button"
        aria-describedby={reasonId}
        className="-my-1 rounded-kbd py-1 font-medium underline underline-offset-2 touch:-mx-2 touch:-my-3.5 touch:px-2 touch:py-3.5"
        onClick={() => chat.retry(message.key)}
      >
        {t("conversation.retry")}
      </button>
    </span>
  );
}
