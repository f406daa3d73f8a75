import { peersOf } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useShallow } from "zustand/react/shallow";
import { useT } from "../i18n/use-t.ts";
import { EveryoneAvatar, PersonAvatar } from "../people/person-avatar.tsx";
import { FittingRouteLine } from "../people/route-line.tsx";
import { hasRouteLine } from "../people/route-text.ts";
import { usePerson } from "../people/use-person.ts";
import { cx } from "../ui/cx.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { CallButtons } from "./call-buttons.tsx";

/** Everyone and each person in the room, with the buttons that call them; nothing while nobody is here. */
export function PeopleToCall() {
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
    <ul
      aria-label={t("call.whom")}
      className="w-full max-w-100 overflow-hidden rounded-card border border-line bg-tile md:w-100 low:shrink-0 md:low:w-84"
    >
      {ids.length > 1 && (
        <li className={row}>
          <EveryoneAvatar size={40} />
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

const row = "flex min-h-16 items-center gap-3 border-line border-b px-3 py-2 last:border-b-0";
const nameStyle = "block min-w-0 truncate font-medium text-body text-text";

function PersonToCall({ id }: { readonly id: ClientId }) {
  const person = usePerson(id);
  const { name, firstName, avatar, isHere } = person;
  return (
    <li className={row}>
      <PersonAvatar id={id} name={name} avatar={avatar} size={40} />
      <span className="min-w-0 flex-1">
        <span className={nameStyle}>{name}</span>
        {hasRouteLine(person) && <FittingRouteLine person={person} className="text-text-2" />}
      </span>
      <CallButtons id={id} firstName={firstName} isHere={isHere} />
    </li>
  );
}
