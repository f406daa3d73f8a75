import { everyone, isStarter, permissionEffect } from "@warren/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { useSendItem } from "../../files/forward/send-item-dialog.tsx";
import { useT } from "../../i18n/use-t.ts";
import { isAnyoneReady } from "../../people/use-partner.ts";
import { type Person, usePerson } from "../../people/use-person.ts";
import { MuteRoomItem } from "../../room/room-menu.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import {
  ChatIcon,
  CompareIcon,
  ConnectionIcon,
  DeleteIcon,
  ForwardIcon,
  InfoIcon,
  MoreIcon,
  RefreshIcon,
  ShieldCrossIcon,
} from "../../ui/icons.ts";
import { Menu, MenuCheck, MenuItem, MenuSeparator } from "../../ui/overlays/menu.tsx";
import { paths } from "../../wiring/paths.ts";
import { useRun } from "../../wiring/use-run.ts";
import { useOptions, useStore, useWarren } from "../../wiring/warren-context.tsx";
import { useClientActions } from "./use-client-actions.ts";

/** Where a client menu is shown; actions that are visible there are left out. */
type ClientMenuLocation = "conversation" | "list" | "compare";

interface ClientMenuProps {
  readonly person: Person;
  readonly location: ClientMenuLocation;
  /** Additional actions, before the others. */
  readonly children?: ReactNode;
}

/** The menu button with all actions for a client. */
export function ClientMenu({ person, location, children }: ClientMenuProps) {
  const t = useT();
  return (
    <Menu trigger={<IconButton icon={MoreIcon} label={t("conversation.more")} />}>
      {children}
      <ClientMenuItems clientId={person.id} location={location} />
    </Menu>
  );
}

/** The menu items of "everyone" in the list. */
export function EveryoneMenuItems() {
  const t = useT();
  const [, navigate] = useLocation();
  const { room } = useWarren();
  const sendItem = useSendItem();
  const isAnyoneHere = useStore(room.store, isAnyoneReady);
  return (
    <>
      <MenuItem icon={ChatIcon} onSelect={() => navigate(paths.chat.href(everyone))}>
        {t("conversation.open")}
      </MenuItem>
      {isAnyoneHere && (
        <MenuItem icon={ForwardIcon} onSelect={() => void sendItem(everyone)}>
          {t("sendItem.action", { name: t("people.everyone") })}
        </MenuItem>
      )}
      <MuteRoomItem />
    </>
  );
}

interface ClientMenuItemsProps {
  readonly clientId: string;
  readonly location: ClientMenuLocation;
}

/** The menu items for a client. */
export function ClientMenuItems({ clientId, location }: ClientMenuItemsProps) {
  const t = useT();
  const run = useRun();
  const [, navigate] = useLocation();
  const { chat, room } = useWarren();
  const person = usePerson(clientId);
  const { name, firstName, trustLevel, status, peer } = person;
  const sendItem = useSendItem();
  const { block, showInfo, deleteClient } = useClientActions({ id: clientId, name });
  const isPerson = !isStarter(clientId);
  const wasEnded = peer?.error?.code === "session-ended";
  const canConnect = peer !== null && status === "offline" && trustLevel !== "blocked" && !wasEnded;
  return (
    <>
      {location !== "conversation" && (
        <MenuItem icon={ChatIcon} onSelect={() => navigate(paths.chat.href(clientId))}>
          {t("conversation.open")}
        </MenuItem>
      )}
      {isPerson && status !== "offline" && (
        <MenuItem icon={ForwardIcon} onSelect={() => void sendItem(clientId)}>
          {t("sendItem.action", { name: firstName })}
        </MenuItem>
      )}
      {canConnect && (
        <MenuItem icon={RefreshIcon} onSelect={() => void run(() => room.retryConnection(clientId))}>
          {t("conversation.connect")}
        </MenuItem>
      )}
      {canConnect && location !== "conversation" && peer.error !== null && (
        <MenuItem icon={ConnectionIcon} onSelect={() => navigate(paths.doctor.href)}>
          {t("doctor.why")}
        </MenuItem>
      )}
      {isPerson && (
        <>
          {location !== "compare" && trustLevel !== "blocked" && (
            <MenuItem icon={CompareIcon} onSelect={() => navigate(paths.compare.href(clientId))}>
              {t("conversation.compareFiles")}
            </MenuItem>
          )}
          <MenuItem icon={InfoIcon} onSelect={() => void showInfo()}>
            {t("conversation.about", { name })}
          </MenuItem>
          {person.contact && (
            <>
              <MenuSeparator />
              <MenuCheck checked={person.contact.muted} onChange={(muted) => chat.setMuted(clientId, muted)}>
                {t("conversation.mute")}
              </MenuCheck>
              <MenuCheck
                checked={person.contact.redirect}
                onChange={(redirect) => chat.setRedirect(clientId, redirect)}
              >
                {t("conversation.redirect", { name: firstName })}
              </MenuCheck>
            </>
          )}
          <PermissionChecks person={person} />
          <MenuSeparator />
        </>
      )}
      {isPerson && trustLevel !== "blocked" && (
        <MenuItem icon={ShieldCrossIcon} danger onSelect={block}>
          {t("conversation.block", { name })}
        </MenuItem>
      )}
      {trustLevel === "blocked" && (
        <MenuItem icon={ShieldCrossIcon} onSelect={() => chat.unblock(clientId)}>
          {t("conversation.unblock", { name })}
        </MenuItem>
      )}
      <MenuItem icon={DeleteIcon} danger onSelect={() => void deleteClient()}>
        {t("conversation.deleteClient")}
      </MenuItem>
    </>
  );
}

/** The permissions that can be granted to a client. */
function PermissionChecks({ person }: { readonly person: Person }) {
  const t = useT();
  const run = useRun();
  const { chat } = useWarren();
  const { id, contact } = person;
  const effect = permissionEffect(person, useOptions());
  if (effect === "not-verifiable" || effect === "blocked") return null;
  return (
    <>
      <MenuCheck
        checked={contact?.autoAccept ?? false}
        onChange={(autoAccept) => void run(() => chat.permit(id, { autoAccept }))}
      >
        {t("conversation.autoAccept")}
      </MenuCheck>
      <MenuCheck
        checked={contact?.clipboardAllowed ?? false}
        onChange={(clipboardAllowed) => void run(() => chat.permit(id, { clipboardAllowed }))}
      >
        {t("conversation.clipboardAllowed", { name: person.firstName })}
      </MenuCheck>
    </>
  );
}
