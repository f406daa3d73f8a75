import { peersOf } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useShallow } from "zustand/react/shallow";
import { useT } from "../i18n/use-t.ts";
import { ClientAvatar, EveryoneAvatar } from "../people/client-avatar.tsx";
import { FittingRouteLine, hasRouteLine } from "../people/route-line.tsx";
import { usePerson } from "../people/use-person.ts";
import { cx } from "../ui/cx.ts";
import { useStore, useWarren } from "../wiring/warren-context.tsx";
import { CallButtons } from "./call-buttons.tsx";

/** Everyone and each person in the room, with the buttons that call them; nothing while nobody is here. */
export function WhomToCall() {
  const t = useT();
  const { room } = useWarren();
  const ids = useStore(
    room.store,
    useShallow((state) =>
      Object.values(peersOf(state)).flatMap((peer) => (peer.ready ? [peer.clientId] : [])),
    ),
  );
  if (ids.length === 0) return null;
  return (
    <ul aria-label={t("call.whom")} className="mx-auto mt-5 w-full max-w-80 text-left">
      {ids.length > 1 && (
        <li className={row}>
          <EveryoneAvatar size={32} />
          <span className={cx(nameStyle, "flex-1")}>{t("people.everyone")}</span>
          <CallButtons id={null} firstName={t("people.everyone")} isHere />
        </li>
      )}
      {ids.map((id) => (
        <PersonToCall key={id} id={id} />
      ))}
    </ul>
  );
}

const row = "flex items-center gap-2 border-line border-b py-2 last:border-b-0";
const nameStyle = "block min-w-0 truncate text-body text-text";

function PersonToCall({ id }: { readonly id: ClientId }) {
  const person = usePerson(id);
  const { name, firstName, avatar, isHere } = person;
  return (
    <li className={row}>
      <ClientAvatar clientId={id} name={name} avatar={avatar} size={32} />
      <span className="min-w-0 flex-1">
        <span className={nameStyle}>{name}</span>
        {hasRouteLine(person) && <FittingRouteLine person={person} className="text-text-2" />}
      </span>
      <CallButtons id={id} firstName={firstName} isHere={isHere} />
    </li>
  );
}
