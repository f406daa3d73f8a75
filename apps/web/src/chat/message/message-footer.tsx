import { type ChatMessage, type Doubt, everyone, type Peer, peersOf } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { type ReactNode, useId } from "react";
import { useShallow } from "zustand/react/shallow";
import { wholeOutcome } from "../../file-state/combined-state.ts";
import { outcomesText, personOutcomeText } from "../../files/card/file-outcome.ts";
import { useFormat } from "../../i18n/format.ts";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { usePerson } from "../../people/use-person.ts";
import { Dot } from "../../ui/dot.tsx";
import { AlertIcon, CheckCheckIcon, CheckIcon, ClockIcon } from "../../ui/icons.ts";
import { Popover } from "../../ui/overlays/popover.tsx";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import {
  awayFrom,
  deliverySummary,
  lacksChange,
  lacksText,
  type OfferOutcomes,
  outcomesOfAll,
} from "./delivery.ts";
import { showsPicture } from "./message-rules.ts";
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

function DeliveryMark({ message, groupSize }: Omit<MessageFooterProps, "isMine">) {
  const summary = deliverySummary(message);
  const isOver = useIsOver(message);
  const away = useAway(message, isOver);
  if (summary.status === "error") return <NotSent message={message} reason={errorText(summary.error)} />;
  if (isOver && (summary.status === "sending" || summary.status === "kept"))
    return <Over message={message} />;
  if (summary.status === "sending") return <Sending message={message} />;
  if (summary.status === "kept")
    // Of a deleted one nothing is left to get.
    return message.type === "text" && message.deleted ? null : <Kept message={message} away={away} />;
  if (summary.status === "offered") return <GroupReceipts message={message} groupSize={groupSize} />;
  return summary.total + away.length > 1 ? (
    <TextReceipts message={message} away={away} isOver={isOver} {...summary} />
  ) : (
    <Received />
  );
}

/** Whether the room's log has no space for what I said to everyone any more, so that who is not here never gets it. */
function useIsOver({ conversation, entry }: ChatMessage): boolean {
  const { chat } = useWarren();
  return useStore(
    chat.ownFloor,
    (floor) => conversation === everyone && entry !== undefined && entry < floor,
  );
}

/** Who belongs to the room lately, and is to get a text to everyone once it is back. */
function useAway(message: ChatMessage, isOver: boolean): readonly ClientId[] {
  const { chat, room } = useWarren();
  const members = useStore(chat.members, (all) => all);
  const peers = useStore(room.store, peersOf);
  return message.conversation === everyone && message.entry !== undefined && !isOver
    ? awayFrom(message, members, (id) => peers[id]?.ready === true)
    : [];
}

/** Nobody got it in time. */
function Over({ message }: Pick<TextReceiptsProps, "message">) {
  const t = useT();
  return message.type === "text" && message.deleted ? null : (
    <>
      <Dot />
      {t("receipts.nobody")}
    </>
  );
}

/** Nobody has it yet. */
function Kept({ message, away }: Pick<TextReceiptsProps, "message" | "away">) {
  const t = useT();
  if (away.length > 0) return <TextReceipts message={message} away={away} received={0} total={0} />;
  return (
    <>
      <Dot />
      <ClockIcon size={14} className="shrink-0" />
      {t("receipts.nobodyYet")}
    </>
  );
}

function Received() {
  const t = useT();
  return (
    <>
      <CheckCheckIcon size={14} className="stroke-[2.2]" />
      <span className="sr-only">{t("conversation.received")}</span>
    </>
  );
}

/** The outcomes of all files that were offered together. */
function GroupReceipts({ message, groupSize }: Omit<MessageFooterProps, "isMine">) {
  const { chat } = useWarren();
  const offers = useStore(
    chat.store,
    useShallow(({ conversations }) => {
      const messages = conversations[message.conversation]?.messages ?? [];
      const end = messages.findLastIndex(({ key }) => key === message.key) + 1;
      return end === 0 ? [message] : messages.slice(Math.max(0, end - groupSize), end);
    }),
  );
  const outcomes = outcomesOfAll(offers);
  const [first, ...others] = Object.values(outcomes);
  // Whatever the card of the only file says is not said again.
  const hasCard = groupSize === 1 && message.type === "file" && !showsPicture(message, true);
  if (others.length > 0) return <OfferReceipts outcomes={outcomes} hasCard={hasCard} />;
  const isReceived = first?.every((outcome) => outcome === "complete");
  return isReceived && message.type === "file" && showsPicture(message, true) && <Received />;
}

interface TextReceiptsProps {
  readonly message: ChatMessage;
  readonly received: number;
  readonly total: number;
  /** Those who get it once they are back. */
  readonly away: readonly ClientId[];
  /** Whether who is not here never gets it. */
  readonly isOver?: boolean;
}

/** How many recipients have my text, and who; and who is away. */
function TextReceipts({ message, received, total, away, isOver = false }: TextReceiptsProps) {
  const t = useT();
  const { firstName } = usePerson(away[0] ?? "");
  const people = away.length;
  const here = t("receipts.received", { received, total });
  const waits =
    people === 1 ? t("receipts.waitsForOne", { name: firstName }) : t("receipts.waitsForMany", { people });
  const absent =
    people === 1
      ? t("receipts.away", { received, name: firstName })
      : t("receipts.awayMany", { received, people });
  const text = people === 0 ? here : total === 0 ? waits : absent;
  return (
    <Receipts title={t("receipts.title")} text={text}>
      {[...new Set([...Object.keys(message.deliveries), ...away])].map((id) => (
        <Recipient key={id} clientId={id}>
          <TextReceipt message={message} clientId={id} isOver={isOver} />
        </Recipient>
      ))}
    </Receipts>
  );
}

interface TextReceiptProps {
  readonly message: ChatMessage;
  readonly clientId: ClientId;
  readonly isOver: boolean;
}

function TextReceipt({ message, clientId, isOver }: TextReceiptProps) {
  const t = useT();
  const { isHere, firstName, peer } = usePerson(clientId);
  if (lacksChange(message, clientId) && showsNoChanges(peer))
    return (
      <span className="basis-full text-text-2">{t("conversation.showsNoChanges", { name: firstName })}</span>
    );
  const isReceived = !lacksText(message, clientId);
  if (!isReceived && !isHere && isOver)
    return <span className="text-text-2">{t("receipts.notReceived")}</span>;
  const Mark = isReceived ? CheckIcon : ClockIcon;
  const onTheWay = isHere ? t("conversation.sending") : t("conversation.waitsFor", { name: firstName });
  return (
    <>
      <Mark size={14} className={isReceived ? "text-accent-text" : "text-text-3"} />
      <span className="sr-only">{isReceived ? t("conversation.received") : onTheWay}</span>
    </>
  );
}

/** Whether a client is here with a version that never gets an edit or a deletion. */
function showsNoChanges(peer: Peer | null): boolean {
  return peer?.ready === true && peer.profile?.changes !== true;
}

interface OfferReceiptsProps {
  readonly outcomes: OfferOutcomes;
  /** Whether a card shows what became of the only file. */
  readonly hasCard: boolean;
}

/** The recipients' outcomes for one or several offered files. */
function OfferReceipts({ outcomes, hasCard }: OfferReceiptsProps) {
  const t = useT();
  const format = useFormat();
  const people = Object.entries(outcomes);
  const isOne = people.every(([, ofPerson]) => ofPerson.length === 1);
  const whole = people.map(([, ofPerson]) => wholeOutcome(ofPerson));
  const isAllOne = new Set(whole).size === 1;
  const title = t(isOne ? "receipts.titleFile" : "receipts.titleFiles");
  const beside =
    whole[0] === "waiting" ? t("file.receivedByCount", { received: 0, total: whole.length }) : title;
  return (
    <Receipts title={title} text={hasCard && isAllOne ? beside : outcomesText(whole, t, format)}>
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

function Sending({ message }: { readonly message: ChatMessage }) {
  const t = useT();
  const [onlyRecipient = "", ...others] = Object.keys(message.deliveries);
  const { isHere, firstName, peer } = usePerson(onlyRecipient);
  const waits = others.length === 0 && !isHere;
  if (others.length === 0 && lacksChange(message, onlyRecipient) && showsNoChanges(peer))
    return <span>{t("conversation.showsNoChanges", { name: firstName })}</span>;
  return (
    <>
      <ClockIcon size={13} className="stroke-[2.2]" />
      <span className={waits ? undefined : "sr-only"}>
        {waits ? t("conversation.waitsFor", { name: firstName }) : t("conversation.sending")}
      </span>
    </>
  );
}

function NotSent({ message, reason }: { readonly message: ChatMessage; readonly reason: string }) {
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
