import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { ShieldCheckIcon } from "../../ui/icons.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { useWarren } from "../../wiring/warren-context.tsx";
import { ClientAvatar } from "../client-avatar.tsx";
import { type Person, usePerson } from "../use-person.ts";
import { PermissionsSection } from "./permissions-section.tsx";
import { RouteSection } from "./route-section.tsx";
import { SafetySection } from "./safety-section.tsx";
import { SwitchLine } from "./switch-line.tsx";
import { TechnicalSection } from "./technical-section.tsx";
import { TrafficSection } from "./traffic-section.tsx";
import { useConnectionReport } from "./use-connection-report.ts";

interface ClientInfoDialogProps extends DialogSlot<"block" | "delete"> {
  readonly clientId: string;
}

/** A client's identity, route and permissions; submits `block` or `delete`. */
export function ClientInfoDialog({ clientId, dialog }: ClientInfoDialogProps) {
  const t = useT();
  const { chat } = useWarren();
  const person = usePerson(clientId);
  const connection = useConnectionReport(clientId);
  const isConnected = person.peer?.route != null;
  return (
    <Dialog
      dialog={dialog}
      initialFocus="top"
      size="lg"
      hideTitle
      title={person.name}
      closeLabel={t("common.close")}
    >
      <div className="flex flex-col gap-5">
        <Head person={person} />
        <SafetySection person={person} />
        <RouteSection
          person={person}
          roundTripMs={connection.traffic.last?.stats.roundTripMs ?? null}
          onLeave={dialog.cancel}
        />
        {isConnected && <TrafficSection traffic={connection.traffic} />}
        {person.trustLevel !== "blocked" && <PermissionsSection person={person} />}
        {person.contact !== null && person.trustLevel !== "blocked" && (
          <SwitchLine
            label={t("clientInfo.mute", { name: person.firstName })}
            hint={t("clientInfo.muteHint")}
            isOn={person.contact.muted}
            onChange={(muted) => chat.setMuted(clientId, muted)}
          />
        )}
        <TechnicalSection person={person} connection={connection} />
        <div className="-mx-3 flex flex-wrap gap-x-2 touch:-mx-4">
          {person.trustLevel !== "blocked" && (
            <Button variant="danger-text" onClick={() => dialog.submit("block")}>
              {t("conversation.block", { name: person.name })}
            </Button>
          )}
          <Button variant="danger-text" onClick={() => dialog.submit("delete")}>
            {t("people.deleteClient")}
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
      <ClientAvatar
        clientId={id}
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
      ? t("clientInfo.onlineSince", { time: format.time(peer.connectedAt) })
      : t(`clientInfo.status.${status}`);
  if (contact === null) return words;
  return t("clientInfo.firstMet", { status: words, day: format.date(contact.createdAt, now) });
}
