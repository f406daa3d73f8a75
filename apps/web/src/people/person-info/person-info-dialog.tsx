import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { DeleteIcon, ShieldCheckIcon, ShieldCrossIcon } from "../../ui/icons.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { PersonAvatar } from "../person-avatar.tsx";
import { type Person, usePerson } from "../use-person.ts";
import { type ContactAction, ContactActions } from "./contact-actions.tsx";
import { PermissionsSection } from "./permissions-section.tsx";
import { RouteSection } from "./route-section.tsx";
import { SafetySection } from "./safety-section.tsx";
import { TechnicalSection } from "./technical-section.tsx";
import { useConnectionReport } from "./use-connection-report.ts";

/** What follows once the dialog has closed. */
export type AfterInfo = ContactAction | "block" | "delete";

interface PersonInfoDialogProps extends DialogSlot<AfterInfo> {
  readonly personId: string;
}

/** A person as on a contact card: what one does with them, their identity, the route and what they may do. */
export default function PersonInfoDialog({ personId, dialog }: PersonInfoDialogProps) {
  const t = useT();
  const person = usePerson(personId);
  const connection = useConnectionReport(personId);
  return (
    <Dialog dialog={dialog} initialFocus="top" size="lg" hideTitle title={person.name} closable>
      <div className="flex flex-col gap-4">
        <Head person={person} />
        {person.trustLevel !== "blocked" && <ContactActions person={person} onChoose={dialog.submit} />}
        <SafetySection person={person} />
        <RouteSection
          person={person}
          roundTripMs={connection.traffic.last?.stats.roundTripMs ?? null}
          onLeave={dialog.cancel}
        />
        {person.trustLevel !== "blocked" && <PermissionsSection person={person} />}
        <TechnicalSection person={person} connection={connection} />
        <div className="flex flex-wrap gap-2 *:flex-1">
          {person.trustLevel !== "blocked" && (
            <Button variant="danger-secondary" icon={ShieldCrossIcon} onClick={() => dialog.submit("block")}>
              {t("conversation.block", { name: person.firstName })}
            </Button>
          )}
          <Button variant="danger-secondary" icon={DeleteIcon} onClick={() => dialog.submit("delete")}>
            {t("people.deleteConversation")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Head({ person }: { readonly person: Person }) {
  const { id, name, avatar, status, trustLevel } = person;
  return (
    <header className="flex items-center gap-3 pr-9">
      <PersonAvatar
        id={id}
        name={name}
        avatar={avatar}
        size={48}
        status={status}
        className="[--ground:var(--raised)]"
      />
      <div className="min-w-0">
        <p aria-hidden="true" className="flex items-center gap-2 text-heading">
          <span className="truncate">{name}</span>
          {trustLevel === "verified" && <ShieldCheckIcon size={16} className="text-accent-text" />}
        </p>
        <p className="text-meta text-text-2">{useStatusLine(person)}</p>
      </div>
    </header>
  );
}

/** "Online since 08:31, first met 12 November" */
function useStatusLine({ status, peer, contact }: Person): string {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const words =
    status === "online" && peer?.connectedAt != null
      ? t("personInfo.onlineSince", { time: format.time(peer.connectedAt) })
      : t(`personInfo.status.${status}`);
  if (contact === null) return words;
  if (format.isSameDay(contact.createdAt, now)) return t("personInfo.firstMetToday", { status: words });
  return t("personInfo.firstMet", { status: words, day: format.date(contact.createdAt, now) });
}
