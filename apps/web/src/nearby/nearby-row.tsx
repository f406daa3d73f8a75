import type { FileMessage } from "@warren/core";
import { type ClientId, contentSizeOf } from "@warren/protocol";
import { type DragEvent, useMemo, useState } from "react";
import { Link } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { useSend } from "../chat/composer/use-send.ts";
import { PersonMenu } from "../chat/list/person-menu.tsx";
import { personRowLine } from "../chat/list/person-row-view.ts";
import { usePersonActions } from "../chat/list/use-person-actions.ts";
import { outcomeOf } from "../file-state/file-state.ts";
import { countFiles } from "../files/save/open-offers.ts";
import { useAcceptOffers } from "../files/save/use-accept-offers.ts";
import { movingWith } from "../files/transfers/transfer-batch.ts";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { PersonAvatar } from "../people/person-avatar.tsx";
import { RouteHelp } from "../people/route-help.tsx";
import { BriefRouteLine, FittingRouteLine } from "../people/route-line.tsx";
import { hasRouteLine } from "../people/route-text.ts";
import { usePerson } from "../people/use-person.ts";
import { sortItems } from "../platform/files/incoming-items.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { SenderIcon, ShieldAlertIcon, ShieldCheckIcon } from "../ui/icons.ts";
import { isDialogOpen } from "../wiring/dialogs/open-dialog.ts";
import { paths } from "../wiring/paths.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { useOption, useProfile, useStore, useWarren } from "../wiring/warren-context.ts";
import { withErrorToast } from "../wiring/with-error-toast.ts";

/** A person nearby: their conversation, whether they are verified, files for them by press or drop, and files of theirs. */
export function NearbyRow({ personId }: { readonly personId: ClientId }) {
  const t = useT();
  const person = usePerson(personId);
  const { name, firstName, avatar, status, trustLevel, isHere } = person;
  const { showInfo } = usePersonActions({ id: personId, name });
  const { pickFiles } = usePlatform();
  const { unread } = useStore(
    useWarren().chat.store,
    useShallow(({ conversations }) => ({ unread: conversations[personId]?.unread ?? 0 })),
  );
  const send = useSend(personId);
  const routeTo = hasRouteLine(person) ? person : null;
  const line = useLine(personId, routeTo !== null);
  const { isDraggedOver, handlers } = useDrop(send.items);
  const isVerified = trustLevel === "verified";
  const isBlocked = trustLevel === "blocked";
  const sendFiles = () =>
    withErrorToast(async () => send.items({ files: await pickFiles({ multiple: true }), folders: [] }));
  return (
    <li
      {...(isBlocked ? {} : handlers)}
      className={cx(
        "-mx-2 rounded-row px-2 py-1.5",
        isDraggedOver && "bg-accent-soft outline-2 outline-accent outline-dashed",
      )}
    >
      <div className="flex items-center gap-1">
        <Link
          to={paths.chat.href(personId)}
          className="-mt-1 flex min-w-0 flex-1 items-center gap-3 rounded-row py-1 transition-colors [--ground:var(--raised)] hover:bg-hover hover:[--ground:var(--hover)]"
        >
          <PersonAvatar id={personId} name={name} avatar={avatar} size={40} status={status} />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-2">
              <span className="truncate font-medium text-body">{name}</span>
              {unread > 0 && <Badge count={unread} label={t("nav.unread", { count: unread })} />}
            </span>
            <span className="flex items-center gap-2 text-text-2">
              {line !== null && <span className="min-w-0 flex-1 truncate text-compact">{line}</span>}
              {routeTo !== null &&
                (line === null ? (
                  <FittingRouteLine person={routeTo} size="text-compact" className="flex-1" />
                ) : (
                  <BriefRouteLine person={routeTo} size="text-compact" />
                ))}
            </span>
          </span>
        </Link>
        {isHere && !isBlocked && (
          <IconButton
            icon={SenderIcon}
            label={t("nearby.sendFiles", { name: firstName })}
            onClick={() => void sendFiles()}
          />
        )}
        <PersonMenu person={person} location="list" />
      </div>
      <div className="flex flex-wrap items-center gap-2 pl-13">
        {!isBlocked && (
          <Button
            variant="ghost"
            size="sm"
            icon={isVerified ? ShieldCheckIcon : ShieldAlertIcon}
            // The shield stands below the name.
            className="-ml-3 touch:-ml-3.5"
            onClick={() => void showInfo()}
          >
            {t(isVerified ? "people.verified" : "nearby.notVerified")}
          </Button>
        )}
        {!isBlocked && status === "offline" && <RouteHelp person={person} />}
        <AcceptButton personId={personId} />
      </div>
    </li>
  );
}

/** What is going on with a person; before anything was, the way to them says that they are here. */
function useLine(personId: ClientId, hasWay: boolean): string | null {
  const t = useT();
  const format = useFormat();
  const { chat, transfers } = useWarren();
  const { clientId: selfId } = useProfile();
  const { name, trustLevel, peer, contact } = usePerson(personId);
  const conversation = useStore(chat.store, (state) => state.conversations[personId]);
  const moving = useStore(
    transfers.store,
    useShallow((state) => movingWith(state, chat.store.getState().conversations, personId)),
  );
  const input = { personId, selfId, name, trustLevel, peer, conversation, moving };
  const { kind, text } = personRowLine(
    { ...input, blockedByHand: contact?.blockedByHand },
    t,
    format.percent,
  );
  if (kind !== "empty") return text;
  if (hasWay) return null;
  return peer?.ready ? t("nearby.here") : text;
}

/** Accepts every file that a person has offered within the size limit. */
function AcceptButton({ personId }: { readonly personId: ClientId }) {
  const t = useT();
  const format = useFormat();
  const acceptOffers = useAcceptOffers();
  const { chat } = useWarren();
  const maxFileSize = useOption("maxFileSize");
  const keepReceived = useOption("keepReceived");
  const messages = useStore(chat.store, (state) => state.conversations[personId]?.messages);
  const offers = useMemo(
    () =>
      (messages ?? []).filter(
        (message): message is FileMessage =>
          message.type === "file" &&
          message.client === personId &&
          outcomeOf(message.offers[personId], false) === "waiting" &&
          contentSizeOf(message.file) <= maxFileSize,
      ),
    [messages, personId, maxFileSize],
  );
  if (offers.length === 0) return null;
  const size = format.size(offers.reduce((sum, { file }) => sum + contentSizeOf(file), 0));
  return (
    <Button
      size="sm"
      variant="primary"
      className="ml-auto"
      onClick={() => void acceptOffers(offers, keepReceived ? "keep" : "save")}
    >
      {t(keepReceived ? "nearby.keep" : "nearby.save", { count: countFiles(offers), size })}
    </Button>
  );
}

/** Offers what is dropped on a row. */
function useDrop(sendItems: ReturnType<typeof useSend>["items"]) {
  const { rememberDropped } = usePlatform();
  const [isDraggedOver, setDraggedOver] = useState(false);
  const takes = ({ dataTransfer }: DragEvent): boolean =>
    dataTransfer.types.includes("Files") && !isDialogOpen();
  return {
    isDraggedOver,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!takes(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        setDraggedOver(true);
      },
      onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDraggedOver(false);
      },
      onDrop(event: DragEvent) {
        setDraggedOver(false);
        if (!takes(event)) return;
        event.preventDefault();
        // The window's own target would offer it to the conversation on the screen.
        event.stopPropagation();
        rememberDropped(event.dataTransfer.items);
        void sendItems(sortItems(event.dataTransfer.items));
      },
    },
  };
}
