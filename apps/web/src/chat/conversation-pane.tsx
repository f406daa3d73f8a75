import type { ChatMessage, ConversationId } from "@warren/core";
import { useRef } from "react";
import { useLocation } from "wouter";
import { useT } from "../i18n/use-t.ts";
import { type Partner, usePartner } from "../people/use-partner.ts";
import { QrCode } from "../room/link/qr-code.tsx";
import { RoomLink } from "../room/link/room-link.tsx";
import { useJoinLink } from "../room/link/use-join-link.ts";
import { useAlone } from "../room/meeting.ts";
import { useRoomName } from "../room/room-name.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { FloatingBanners } from "../ui/floating-banners.tsx";
import { useSelection } from "../ui/hooks/use-selection.ts";
import { ChatIcon, PeopleIcon } from "../ui/icons.ts";
import { paths } from "../wiring/paths.ts";
import { isShortcut } from "../wiring/shortcuts/shortcuts.ts";
import { useToastInset } from "../wiring/use-toast-inset.ts";
import { useProfile, useRoomStatus, useStore, useWarren } from "../wiring/warren-context.ts";
import { AloneNotice } from "./alone-notice.tsx";
import { Composer } from "./composer/composer.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import { ConversationNotices } from "./conversation-notices.tsx";
import { MessageLog } from "./log/message-log.tsx";
import { MessageSearchBar } from "./log/message-search-bar.tsx";
import { SelectedMessagesBar } from "./log/selected-messages-bar.tsx";
import { useLoadedMessages } from "./log/use-loaded-messages.ts";
import { useMessageSearch } from "./log/use-message-search.ts";
import { useUnreadMark } from "./log/use-unread-mark.ts";

/** The note shown instead of the composer. */
const noteClass =
  "border-line border-t bg-surface px-4 py-4 text-center text-compact text-text-2 pb-[max(16px,env(safe-area-inset-bottom))]";

const emptyClass = "on-picture mx-auto w-fit [--picture-inset:16px]";

const keyOfMessage = ({ key }: ChatMessage): string => key;

interface ConversationPaneProps {
  readonly conversationId: ConversationId;
  /** Closes it where it is beside something else. */
  readonly onClose?: () => void;
}

/** A conversation: header, log and composer. Needs a key per conversation. */
export default function ConversationPane({ conversationId, onClose }: ConversationPaneProps) {
  const t = useT();
  const { chat } = useWarren();
  const partner = usePartner(conversationId);
  const isLoaded = useStore(chat.store, (state) => state.loaded);
  const isEmpty = useStore(chat.store, (state) => !state.conversations[conversationId]?.messages.length);
  const selfId = useProfile().clientId;
  const isLastMine = useStore(
    chat.store,
    (state) => state.conversations[conversationId]?.messages.at(-1)?.client === selfId,
  );
  // Here and not in the log, which is not mounted before the first message: that one is read on arrival.
  const unread = useUnreadMark(conversationId, selfId);
  const search = useMessageSearch(conversationId);
  const selection = useSelection(useLoadedMessages(conversationId).messages, keyOfMessage);
  const pane = useRef<HTMLElement>(null);
  const footer = useRef<HTMLDivElement>(null);
  useToastInset(footer);
  if (isLoaded && !partner.isKnown && isEmpty) return <UnknownPerson />;
  const label = partner.isRoom
    ? t("conversation.labelEveryone")
    : t("conversation.label", { name: partner.name });
  return (
    <section
      ref={pane}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={({ nativeEvent }) => {
        if (selection.items.length > 0 && isShortcut(nativeEvent, "deselect")) selection.clear();
      }}
      className="outline-none picture-window flex min-h-0 min-w-0 flex-1 flex-col bg-surface [--ground:var(--surface)]"
    >
      <ConversationHeader partner={partner} onSearch={search.open} onClose={onClose} />
      {search.isOpen && <MessageSearchBar search={search} />}
      <FloatingBanners heightProperty="--connection-height" className="top-(--banner-height,0px)">
        <ConnectionBanner person={partner} />
      </FloatingBanners>
      {isLoaded && !isEmpty ? (
        <div className="@container flex min-h-0 flex-1 flex-col">
          {/* Keeps the newest message clear of toasts if the window has no space beside it. */}
          <div
            className={cx(
              "flex min-h-0 flex-1 flex-col",
              isLastMine
                ? "md:@max-[98rem]:pb-(--toast-space,0px)"
                : "md:@max-[59rem]:pb-(--toast-space,0px)",
            )}
          >
            <MessageLog
              key={conversationId}
              conversationId={conversationId}
              label={label}
              unread={unread}
              search={search}
              selection={selection}
            />
          </div>
        </div>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto py-6">
          {isLoaded && <EmptyConversation partner={partner} />}
        </div>
      )}
      <div ref={footer} className="shrink-0">
        <ConversationNotices conversationId={conversationId} />
        {selection.items.length > 0 ? (
          <SelectedMessagesBar selection={selection} onEnd={() => pane.current?.focus()} />
        ) : partner.isStarter ? (
          <p className={noteClass}>{t("starter.noAnswer")}</p>
        ) : (
          partner.trustLevel !== "blocked" && <Footer partner={partner} isEmpty={isEmpty} />
        )}
      </div>
    </section>
  );
}

/** The composer; above it, to who is alone in the room, who gets what is written. */
function Footer({ partner, isEmpty }: { readonly partner: Partner; readonly isEmpty: boolean }) {
  const { id } = partner;
  const isAlone = useAlone() && partner.isRoom;
  return (
    <>
      {isAlone && <AloneNotice withInvite={!isEmpty} />}
      <Composer key={`composer/${id}`} conversationId={id} />
    </>
  );
}

/** The link and QR code of a room in which nobody has said anything and nobody else is. */
function Invite() {
  const t = useT();
  const link = useJoinLink({ withTurn: false });
  return (
    <section aria-label={t("waiting.roomLink")} className="shrink-0 bg-surface">
      <div className="mx-auto flex max-w-[792px] items-center justify-center gap-8 px-4 py-4 max-md:flex-col max-md:gap-3">
        <div className="w-48 shrink-0">
          <QrCode text={link} />
        </div>
        <div className="w-full min-w-0 flex-1 md:max-w-90">
          <p role="status" className="mb-4 text-body text-text-2">
            {t("invite.line")}
          </p>
          <RoomLink link={link} />
        </div>
      </div>
    </section>
  );
}

function EmptyConversation({ partner: { isRoom, firstName } }: { readonly partner: Partner }) {
  const t = useT();
  if (useAlone() && isRoom) return <Invite />;
  return isRoom ? (
    <EmptyState icon={PeopleIcon} title={t("conversation.emptyEveryone")} className={emptyClass}>
      {t("conversation.emptyEveryoneLine")}
    </EmptyState>
  ) : (
    <EmptyState icon={ChatIcon} title={t("conversation.empty", { name: firstName })} className={emptyClass}>
      {t("conversation.emptyLine")}
    </EmptyState>
  );
}

function UnknownPerson() {
  const t = useT();
  const [, navigate] = useLocation();
  const name = useRoomName();
  const status = useRoomStatus();
  const titles = {
    connected: t("conversation.notHere"),
    connecting: t("arrival.joining", { room: name }),
    disconnected: t("profile.roomNotJoined", { room: name }),
    nearby: t("conversation.notHere"),
  };
  return (
    <section className="flex min-w-0 flex-1 flex-col items-center justify-center bg-surface">
      <EmptyState
        icon={PeopleIcon}
        title={titles[status]}
        action={<Button onClick={() => navigate(paths.home.href)}>{t("notFound.home")}</Button>}
      />
    </section>
  );
}
