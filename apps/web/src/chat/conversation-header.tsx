import { type ConversationId, everyone, isAround, peersOf } from "@warren/core";
import { useLocation } from "wouter";
import { CallButtons } from "../call/call-buttons.tsx";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { useUnread } from "../people/attention.ts";
import { EveryoneAvatar, PersonAvatar } from "../people/person-avatar.tsx";
import { FittingRouteLine } from "../people/route-line.tsx";
import { firstNameOf } from "../people/shown-name.ts";
import type { Partner } from "../people/use-partner.ts";
import { useNameOf } from "../people/use-person.ts";
import { useVisitedRoom } from "../room/room-name.ts";
import { useRooms } from "../room/rooms/use-rooms.ts";
import { useRoomActions } from "../room/use-room-actions.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Badge } from "../ui/badge.tsx";
import { cx } from "../ui/cx.ts";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import { useOnline } from "../ui/hooks/use-online.ts";
import { IconButton } from "../ui/icon-button.tsx";
import {
  CloseIcon,
  CompareIcon,
  InfoIcon,
  KeyboardIcon,
  MoreIcon,
  QrIcon,
  SearchIcon,
  ShieldCheckIcon,
} from "../ui/icons.ts";
import { Menu, MenuItem } from "../ui/overlays/menu.tsx";
import { paths } from "../wiring/paths.ts";
import { printedKeys } from "../wiring/shortcuts/printed-keys.ts";
import { showShortcuts } from "../wiring/shortcuts/shortcuts-dialog.tsx";
import { useRoomStatus, useStore, useWarren } from "../wiring/warren-context.ts";
import { PersonMenu } from "./list/person-menu.tsx";
import { usePersonActions } from "./list/use-person-actions.ts";

/** Of more people who write, these are named. */
const writersNamed = 3;

interface ConversationHeaderProps {
  readonly partner: Partner;
  readonly onSearch: () => void;
  /** Closes the conversation where it is beside a call; its other actions are then left to its own page. */
  readonly onClose: (() => void) | undefined;
}

/** The partner of a conversation, their presence, and the available actions. */
export function ConversationHeader({ partner, onSearch, onClose }: ConversationHeaderProps) {
  const t = useT();
  // The page of the call has the first heading.
  const Heading = onClose === undefined ? "h1" : "h2";
  const onAbout = useOnAbout(partner);
  return (
    <header
      className={cx(
        "flex h-14 shrink-0 items-center gap-3 border-line border-b bg-surface pr-3 pl-4 max-md:gap-2 max-md:pr-1",
        onClose === undefined ? "max-md:pl-1" : "max-md:pl-4",
      )}
    >
      {onClose === undefined && <BackToList />}
      <div className="relative flex h-full min-w-0 flex-1 items-center gap-3 max-md:gap-2">
        {/* On the narrowest phones the name needs its space. */}
        <span className="shrink-0 max-[359px]:hidden">
          {partner.isRoom ? (
            <EveryoneAvatar size={36} />
          ) : (
            <PersonAvatar
              id={partner.id}
              name={partner.name}
              avatar={partner.avatar}
              size={36}
              status={partner.isStarter ? undefined : partner.status}
            />
          )}
        </span>
        <div className="min-w-0 flex-1">
          <Heading className="flex items-center gap-2 text-heading-sm">
            {onAbout === null ? (
              <span className="truncate">{partner.name}</span>
            ) : (
              // The whole of the picture, the name and the line below it.
              <button
                type="button"
                aria-haspopup="dialog"
                className="min-w-0 truncate text-left outline-none after:absolute after:inset-0 after:-outline-offset-4 focus-visible:after:outline-2 focus-visible:after:outline-focus"
                onClick={onAbout}
              >
                {partner.name}
              </button>
            )}
            {partner.trustLevel === "verified" && (
              <>
                <ShieldCheckIcon size={16} className="text-accent-text" />
                <span className="sr-only">{t("people.verified")}</span>
              </>
            )}
            {partner.trustLevel === "invited" && (
              <span className="min-w-0 truncate font-normal text-meta text-text-3 max-md:sr-only">
                {t("people.invited")}
              </span>
            )}
          </Heading>
          <StatusLine partner={partner} />
        </div>
      </div>
      {onClose !== undefined && <IconButton icon={CloseIcon} label={t("common.close")} onClick={onClose} />}
      {onClose === undefined && <HeaderActions partner={partner} onSearch={onSearch} />}
    </header>
  );
}

/** What a tap on the head opens on a phone, which has no button for it: the person, or the settings of the room. */
function useOnAbout(partner: Partner): (() => void) | null {
  const { showInfo } = usePersonActions(partner);
  const rooms = useRooms();
  const visited = useVisitedRoom();
  const isPhone = useBreakpoint() === "phone";
  if (!isPhone || partner.isStarter) return null;
  if (!partner.isRoom) return () => void showInfo();
  return visited === undefined ? null : () => void rooms.edit(visited);
}

/** Leads to the list on a phone, which shows nothing else of the other conversations meanwhile. */
function BackToList() {
  const t = useT();
  const unread = useUnread();
  return (
    <BackLink to={paths.home.href} label={t("common.back")} className="md:hidden">
      {unread > 0 && (
        <Badge
          count={unread}
          label={t("nav.unread", { count: unread })}
          className="absolute top-0 left-7 z-10"
        />
      )}
    </BackLink>
  );
}

function HeaderActions({ partner, onSearch }: Omit<ConversationHeaderProps, "onClose">) {
  return (
    <>
      {!partner.isStarter && partner.trustLevel !== "blocked" && (
        <CallButtons
          id={partner.isRoom ? null : partner.id}
          firstName={partner.firstName}
          isHere={partner.isHere}
        />
      )}
      {!partner.isRoom && !partner.isStarter && (
        <>
          {partner.trustLevel !== "blocked" && <CompareButton partner={partner} />}
          <AboutButton partner={partner} />
        </>
      )}
      {partner.isRoom ? (
        <EveryoneMenu onSearch={onSearch} />
      ) : (
        <PersonMenu person={partner} location="conversation">
          {!partner.isStarter && <SearchItem onSearch={onSearch} />}
        </PersonMenu>
      )}
    </>
  );
}

function SearchItem({ onSearch }: { readonly onSearch: () => void }) {
  const t = useT();
  return (
    <MenuItem icon={SearchIcon} shortcut={printedKeys("Ctrl F")} onSelect={onSearch}>
      {t("messageSearch.open")}
    </MenuItem>
  );
}

/** The actions for the room conversation. */
function EveryoneMenu({ onSearch }: { readonly onSearch: () => void }) {
  const t = useT();
  const { shareRoom } = useRoomActions();
  return (
    <Menu trigger={<IconButton icon={MoreIcon} label={t("conversation.more")} />}>
      <SearchItem onSearch={onSearch} />
      <MenuItem icon={QrIcon} onSelect={() => void shareRoom()}>
        {t("people.shareRoom")}
      </MenuItem>
      <MenuItem icon={KeyboardIcon} shortcut="?" onSelect={showShortcuts}>
        {t("nav.shortcuts")}
      </MenuItem>
    </Menu>
  );
}

function StatusLine({ partner }: { readonly partner: Partner }) {
  const t = useT();
  const writers = useWriters(partner.id);
  if (writers !== null) return <p className="truncate text-accent-text text-meta">{writers}</p>;
  if (partner.isRoom) return <RoomLine />;
  if (partner.isStarter) return <p className="truncate text-meta text-text-2">{t("starter.line")}</p>;
  return <FittingRouteLine person={partner} className="text-text-2" />;
}

/** Who is writing here, in words; null if nobody is. Screen readers are not interrupted by it. */
function useWriters(conversationId: ConversationId): string | null {
  const t = useT();
  const { chat } = useWarren();
  const nameOf = useNameOf();
  const format = useFormat();
  const writers = useStore(chat.typing, (typing) => typing[conversationId]) ?? [];
  if (writers.length === 0) return null;
  if (conversationId !== everyone) return t("conversation.writing");
  const names = format.list(writers.slice(0, writersNamed).map((id) => firstNameOf(nameOf(id))));
  return t("conversation.areWriting", { count: writers.length, names });
}

function RoomLine() {
  const t = useT();
  const { room } = useWarren();
  const others = useStore(room.store, (state) => Object.values(peersOf(state)).filter(isAround).length);
  const isInRoom = useRoomStatus() === "connected";
  const isOnline = useOnline();
  const here = others === 0 ? t("people.onlyYou") : t("people.hereCount", { count: others + 1 });
  const words = !isInRoom ? t("profile.notJoined") : isOnline ? here : t("personInfo.notConnected");
  return <p className="truncate text-meta text-text-2">{words}</p>;
}

/** Opens the file comparison; on a phone it is in the menu. */
function CompareButton({ partner: { id } }: { readonly partner: Partner }) {
  const t = useT();
  const [, navigate] = useLocation();
  return (
    <IconButton
      icon={CompareIcon}
      label={t("conversation.compareFiles")}
      className="max-md:hidden"
      onClick={() => navigate(paths.compare.href(id))}
    />
  );
}

/** Opens the person's details; on a phone they are in the menu. */
function AboutButton({ partner: { id, name } }: { readonly partner: Partner }) {
  const t = useT();
  const { showInfo } = usePersonActions({ id, name });
  return (
    <IconButton
      icon={InfoIcon}
      label={t("conversation.about", { name })}
      className="max-md:hidden"
      onClick={() => void showInfo()}
    />
  );
}
