import { everyone, isStarter } from "@warren/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { sendItem } from "../../files/forward/send-item.ts";
import { useT } from "../../i18n/use-t.ts";
import { isEveryoneReachable } from "../../people/use-partner.ts";
import { type Person, usePerson } from "../../people/use-person.ts";
import { MuteRoomItem } from "../../room/room-menu.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import {
  BellIcon,
  ChatIcon,
  CompareIcon,
  ConnectionIcon,
  DeleteIcon,
  ForwardIcon,
  InfoIcon,
  MoreIcon,
  MutedIcon,
  RefreshIcon,
  ShieldCrossIcon,
} from "../../ui/icons.ts";
import { Menu, MenuCheck, MenuItem, MenuSeparator } from "../../ui/overlays/menu.tsx";
import { paths } from "../../wiring/paths.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { usePersonActions } from "./use-person-actions.ts";

/** Where the menu of a person is shown; actions that are visible there are left out. */
type PersonMenuLocation = "conversation" | "list" | "compare";

interface PersonMenuProps {
  readonly person: Person;
  readonly location: PersonMenuLocation;
  /** Additional actions, before the others. */
  readonly children?: ReactNode;
}

/** The menu button with all actions for a person. */
export function PersonMenu({ person, location, children }: PersonMenuProps) {
  const t = useT();
  return (
    <Menu trigger={<IconButton icon={MoreIcon} label={t("conversation.more")} />}>
      {children}
      <PersonMenuItems personId={person.id} location={location} />
    </Menu>
  );
}

/** The menu items of "everyone" in the list. */
export function EveryoneMenuItems() {
  const t = useT();
  const [, navigate] = useLocation();
  const warren = useWarren();
  const isReachable = useStore(warren.room.store, () => isEveryoneReachable(warren));
  return (
    <>
      <MenuItem icon={ChatIcon} onSelect={() => navigate(paths.chat.href(everyone))}>
        {t("conversation.open")}
      </MenuItem>
      {isReachable && (
        <MenuItem icon={ForwardIcon} onSelect={() => void sendItem(warren, everyone)}>
          {t("sendItem.action", { name: t("people.everyone") })}
        </MenuItem>
      )}
      <MuteRoomItem />
    </>
  );
}

interface PersonMenuItemsProps {
  readonly personId: string;
  readonly location: PersonMenuLocation;
}

/** The menu items for a person. What the person may do without asking stands in their details. */
export function PersonMenuItems({ personId, location }: PersonMenuItemsProps) {
  const t = useT();
  const [, navigate] = useLocation();
  const warren = useWarren();
  const { chat, room } = warren;
  const person = usePerson(personId);
  const { name, firstName, trustLevel, status, peer } = person;
  const { block, showInfo, deleteConversation } = usePersonActions({ id: personId, name });
  const isPerson = !isStarter(personId);
  const wasEnded = peer?.error?.code === "session-ended";
  const canConnect = peer !== null && status === "offline" && trustLevel !== "blocked" && !wasEnded;
  return (
    <>
      {location === "compare" && (
        <MenuItem icon={ChatIcon} onSelect={() => navigate(paths.chat.href(personId))}>
          {t("conversation.open")}
        </MenuItem>
      )}
      {isPerson && status !== "offline" && (
        <MenuItem icon={ForwardIcon} onSelect={() => void sendItem(warren, personId)}>
          {t("sendItem.action", { name: firstName })}
        </MenuItem>
      )}
      {canConnect && (
        <MenuItem
          icon={RefreshIcon}
          onSelect={() => void withErrorToast(() => room.retryConnection(personId))}
        >
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
            <MenuItem icon={CompareIcon} onSelect={() => navigate(paths.compare.href(personId))}>
              {t("conversation.compareFiles")}
            </MenuItem>
          )}
          <MenuItem icon={InfoIcon} onSelect={() => void showInfo()}>
            {t("conversation.about", { name })}
          </MenuItem>
          {person.contact && (
            <>
              <MenuSeparator />
              <MenuCheck
                icon={MutedIcon}
                checked={person.contact.muted}
                onChange={(muted) => chat.setMuted(personId, muted)}
              >
                {t("conversation.mute")}
              </MenuCheck>
              <MenuCheck
                icon={BellIcon}
                checked={person.contact.redirect}
                onChange={(redirect) => chat.setRedirect(personId, redirect)}
              >
                {t("conversation.redirect", { name: firstName })}
              </MenuCheck>
            </>
          )}
          <MenuSeparator />
        </>
      )}
      {isPerson && trustLevel !== "blocked" && (
        <MenuItem icon={ShieldCrossIcon} danger onSelect={block}>
          {t("conversation.block", { name })}
        </MenuItem>
      )}
      {trustLevel === "blocked" && (
        <MenuItem icon={ShieldCrossIcon} onSelect={() => chat.unblock(personId)}>
          {t("conversation.unblock", { name })}
        </MenuItem>
      )}
      <MenuItem icon={DeleteIcon} danger onSelect={() => void deleteConversation()}>
        {t("conversation.deleteConversation")}
      </MenuItem>
    </>
  );
}
