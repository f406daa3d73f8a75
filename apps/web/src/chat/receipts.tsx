import type { ChatMessage } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import type { ReactNode } from "react";
import { wholeOutcome } from "../file-state/combined-state.ts";
import { outcomesText, personOutcomeText } from "../files/file-outcome.ts";
import { useT } from "../i18n/use-t.ts";
import { usePerson } from "../people/use-person.ts";
import { CheckIcon, ClockIcon } from "../ui/icons.ts";
import { Popover } from "../ui/overlays.tsx";
import type { OfferOutcomes } from "./delivery.ts";

interface TextReceiptsProps {
  readonly message: ChatMessage;
  readonly received: number;
  readonly total: number;
}

/** How many recipients have my text, and who. */
export function TextReceipts({ message, received, total }: TextReceiptsProps) {
  const t = useT();
  return (
    <Receipts title={t("receipts.title")} text={t("receipts.received", { received, total })}>
      {Object.entries(message.deliveries).map(([id, { status }]) => {
        const isReceived = status === "received";
        const Mark = isReceived ? CheckIcon : ClockIcon;
        return (
          <Recipient key={id} clientId={id}>
            <Mark size={14} className={isReceived ? "text-accent-text" : "text-text-3"} />
            <span className="sr-only">
              {isReceived ? t("conversation.received") : t("conversation.sending")}
            </span>
          </Recipient>
        );
      })}
    </Receipts>
  );
}

interface OfferReceiptsProps {
  readonly outcomes: OfferOutcomes;
}

/** The recipients' outcomes for one or several offered files. */
export function OfferReceipts({ outcomes }: OfferReceiptsProps) {
  const t = useT();
  const people = Object.entries(outcomes);
  const isOne = people.every(([, ofPerson]) => ofPerson.length === 1);
  const whole = people.map(([, ofPerson]) => wholeOutcome(ofPerson));
  return (
    <Receipts title={t(isOne ? "receipts.titleFile" : "receipts.titleFiles")} text={outcomesText(whole, t)}>
      {people.map(([id, ofPerson]) => (
        <Recipient key={id} clientId={id}>
          <span className={wholeOutcome(ofPerson) === "complete" ? "text-accent-text" : "text-text-2"}>
            {personOutcomeText(ofPerson, t)}
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
  const t = useT();
  return (
    <Popover
      label={title}
      side="top"
      className="w-56! p-1!"
      trigger={
        <button
          type="button"
          className="-my-1 -ml-1.5 rounded-kbd py-1 text-start hover:text-text touch:-my-3.5 touch:py-3.5"
        >
          <span aria-hidden="true">{t("common.comma")}</span>
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
