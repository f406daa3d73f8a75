import type { CallMessage } from "@warren/core";
import { useCalling } from "../../call/use-calling.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { useName, usePerson } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import {
  CameraIcon,
  type Icon,
  IncomingCallIcon,
  MissedCallIcon,
  OutgoingCallIcon,
  PhoneIcon,
} from "../../ui/icons.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { messageLine } from "../message/message-line.ts";

/** What is left of a call; one that was missed can be called back. */
export function CallLine({ message }: { readonly message: CallMessage }) {
  const t = useT();
  const format = useFormat();
  const callerName = firstNameOf(useName(message.caller));
  const { caller, conversation, outcome, durationMs, createdAt } = message;
  const isMissed = outcome === "missed";
  const isOfRoom = conversation !== caller && isMissed;
  const words = messageLine(message, t);
  const facts = [
    isOfRoom ? t("call.past.from", { call: words, name: callerName }) : words,
    ...(outcome === "ended" ? [format.duration(durationMs)] : []),
    format.time(createdAt),
  ];
  const Glyph = iconOf(message);
  return (
    <div
      className={cx(
        "on-picture flex min-h-8 flex-wrap items-center justify-center gap-x-2.5 gap-y-1 px-2 text-compact",
        // As high as its button, which comes and goes.
        isMissed && "min-h-9 touch:min-h-12",
      )}
    >
      <Glyph size={15} className={cx("stroke-2", isMissed ? "text-danger" : "text-text-2")} />
      <p className={cx("tabular-nums", isMissed ? "text-text" : "text-text-2")}>{facts.join(" · ")}</p>
      {isMissed && conversation === caller && <CallBack message={message} />}
    </div>
  );
}

function iconOf({ client, caller, outcome, video }: CallMessage): Icon {
  if (outcome === "missed") return MissedCallIcon;
  if (video) return CameraIcon;
  if (outcome === "ended") return PhoneIcon;
  return caller === client ? OutgoingCallIcon : IncomingCallIcon;
}

/** Not during a call with that person. */
function CallBack({ message: { caller, video } }: { readonly message: CallMessage }) {
  const t = useT();
  const { isHere } = usePerson(caller);
  const { ringing } = useWarren().call;
  const { call } = useCalling();
  const isBusy = useStore(
    ringing.store,
    ({ incoming, outgoing, partner }) =>
      partner === caller ||
      outgoing?.waiting.includes(caller) === true ||
      incoming.some(({ from }) => from === caller),
  );
  if (!isHere || isBusy) return null;
  return (
    <Button size="sm" onClick={() => void call(caller, { video })}>
      {t("call.ring.callBack")}
    </Button>
  );
}
