import type { ChatMessage } from "@warren/core";
import { useId } from "react";
import { useShallow } from "zustand/react/shallow";
import { type Format, useFormat } from "../i18n/format.ts";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { usePerson } from "../people/use-person.ts";
import { CheckCheckIcon, ClockIcon } from "../ui/icons.ts";
import { useStore, useWarren } from "../ui/warren-context.tsx";
import { deliverySummary, outcomesOfAll } from "./delivery.ts";
import { OfferReceipts, TextReceipts } from "./receipts.tsx";

/** The time of a message, with its date if it was delivered on another day. */
export function writtenAt({ createdAt, sortedAt }: ChatMessage, format: Format): string {
  const sameDay = new Date(createdAt).toDateString() === new Date(sortedAt).toDateString();
  return sameDay ? format.time(createdAt) : format.dateTime(createdAt);
}

interface MessageFootProps {
  readonly message: ChatMessage;
  readonly isMine: boolean;
  /** The number of messages in the group, of which this is the last. */
  readonly groupSize: number;
}

/** The line under a group: the time, and the delivery state of my messages. */
export function MessageFoot({ message, isMine, groupSize }: MessageFootProps) {
  const format = useFormat();
  const time = <time dateTime={new Date(message.createdAt).toISOString()}>{writtenAt(message, format)}</time>;
  return (
    <div className="on-picture mt-1 flex min-h-4 items-center gap-1.5 px-1 text-meta text-text-3">
      {time}
      {isMine && <DeliveryMark message={message} groupSize={groupSize} />}
    </div>
  );
}

function DeliveryMark({ message, groupSize }: Omit<MessageFootProps, "isMine">) {
  const summary = deliverySummary(message);
  if (summary.status === "error") return <NotSent message={message} reason={errorText(summary.error)} />;
  if (summary.status === "sending") return <Sending message={message} />;
  if (summary.status === "offered") return <GroupReceipts message={message} groupSize={groupSize} />;
  return summary.total > 1 ? <TextReceipts message={message} {...summary} /> : <Received />;
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
function GroupReceipts({ message, groupSize }: Omit<MessageFootProps, "isMine">) {
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
  if (others.length > 0) return <OfferReceipts outcomes={outcomes} />;
  // With one recipient, each file's card shows its state.
  return first?.every((outcome) => outcome === "complete") && <Received />;
}

function Sending({ message }: { readonly message: ChatMessage }) {
  const t = useT();
  const [onlyRecipient = "", ...others] = Object.keys(message.deliveries);
  const { isHere, firstName } = usePerson(onlyRecipient);
  const waits = others.length === 0 && !isHere;
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
          {t("conversation.notSent")}
          <span className="sr-only">. {reason}</span>
        </span>
        <span aria-hidden="true">{t("common.comma")}</span>
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
