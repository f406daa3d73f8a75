import type { ConversationId } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { useT } from "../i18n/use-t.ts";
import { type Partner, usePartner } from "../people/use-partner.ts";
import { usePerson } from "../people/use-person.ts";
import { QrCode } from "../room/link/qr-code.tsx";
import { RoomLink } from "../room/link/room-link.tsx";
import { useJoinLink } from "../room/link/use-join-link.ts";
import { useAlone } from "../room/meeting.ts";
import { useRoomName } from "../room/room-name.ts";
import { isEmptyDraft } from "../tab/drafts.ts";
import { useTab } from "../tab/tab-context.ts";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { FloatingBanners } from "../ui/floating-banners.tsx";
import { AlertIcon, ChatIcon, ClockIcon, PeopleIcon } from "../ui/icons.ts";
import { paths } from "../wiring/paths.ts";
import { isShortcut } from "../wiring/shortcuts/shortcuts.ts";
import { useToastInset } from "../wiring/use-toast-inset.ts";
import { useProfile, useRoomStatus, useStore, useWarren } from "../wiring/warren-context.tsx";
import { Composer } from "./composer/composer.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import { MessageLog } from "./log/message-log.tsx";
import { SearchBar, useMessageSearch } from "./log/message-search.tsx";
import { SelectedMessagesBar } from "./log/selected-messages-bar.tsx";
import { useSelectedMessages } from "./log/use-selected-messages.ts";
import { useUnreadMark } from "./log/use-unread-mark.ts";
import { announceHeldUp } from "./message/announcements.ts";
import { OffersBar } from "./offers-bar.tsx";

/** The note shown instead of the composer. */
const noteClass =
  "border-line border-t bg-surface px-5 py-4 text-center text-compact text-text-2 pb-[max(16px,env(safe-area-inset-bottom))]";

const emptyClass = "on-picture mx-auto w-fit [--picture-inset:16px]";

interface ConversationPaneProps {
  readonly conversationId: ConversationId;
  /** Closes it where it is beside something else. */
  readonly onClose?: () => void;
}

/** A conversation: header, log and composer. Needs a key per conversation. */
export function ConversationPane({ conversationId, onClose }: ConversationPaneProps) {
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
  const selected = useSelectedMessages(conversationId);
  const pane = useRef<HTMLElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  useToastInset(foot);
  if (isLoaded && !partner.isKnown && isEmpty) return <UnknownClient />;
  const label = partner.isRoom
    ? t("conversation.labelEveryone")
    : t("conversation.label", { name: partner.name });
  return (
    <section
      ref={pane}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={({ nativeEvent }) => {
        if (selected.messages.length > 0 && isShortcut(nativeEvent, "deselect")) selected.clear();
      }}
      className="outline-none picture-window flex min-h-0 min-w-0 flex-1 flex-col bg-surface [--ground:var(--surface)]"
    >
      <ConversationHeader partner={partner} onSearch={search.open} onClose={onClose} />
      {search.isOpen && <SearchBar search={search} />}
      <FloatingBanners
        heightProperty="--connection-height"
        className="top-[calc(8px+var(--banner-height,0px))]"
      >
        <ConnectionBanner person={partner} />
      </FloatingBanners>
      {isLoaded && !isEmpty ? (
        <div className="@container flex min-h-0 flex-1 flex-col">
          {/* Keeps the newest message clear of toasts if the window has no space beside it. */}
          <div
            className={cx(
              "flex min-h-0 flex-1 flex-col",
              isLastMine ? "md:@max-[98rem]:pb-(--toast-room,0px)" : "md:@max-[59rem]:pb-(--toast-room,0px)",
            )}
          >
            <MessageLog
              key={conversationId}
              conversationId={conversationId}
              label={label}
              unread={unread}
              search={search}
              selected={selected}
            />
          </div>
        </div>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto py-6">
          {isLoaded && <EmptyConversation partner={partner} />}
        </div>
      )}
      <div ref={foot} className="shrink-0">
        <RefusedNotes conversationId={conversationId} />
        <HeldUpLine conversationId={conversationId} />
        {partner.isRoom && <MissingLines />}
        {partner.trustLevel !== "blocked" && <OffersBar conversationId={conversationId} />}
        {selected.messages.length > 0 ? (
          <SelectedMessagesBar selected={selected} onEnd={() => pane.current?.focus()} />
        ) : partner.isStarter ? (
          <p className={noteClass}>{t("starter.noAnswer")}</p>
        ) : (
          partner.trustLevel !== "blocked" && <Foot partner={partner} isEmpty={isEmpty} />
        )}
      </div>
    </section>
  );
}

/** Shows which clients had their messages refused, and what helps. */
function RefusedNotes({ conversationId }: { readonly conversationId: ConversationId }) {
  const { chat } = useWarren();
  const refused = useStore(
    chat.store,
    useShallow(({ storageUsage, contacts }) =>
      Object.entries(storageUsage).flatMap(([id, usage]) =>
        usage?.refusedIn.includes(conversationId) && contacts[id]?.trustLevel !== "verified" ? [id] : [],
      ),
    ),
  );
  return refused.map((id) => <RefusedNote key={id} clientId={id} />);
}

function RefusedNote({ clientId }: { readonly clientId: ClientId }) {
  const t = useT();
  const { name } = usePerson(clientId);
  return (
    <Banner tone="warn" icon={AlertIcon}>
      {t("conversation.refused", { name })}
    </Banner>
  );
}

/** Shows how many of my messages wait although somebody is there to get them. */
function HeldUpLine({ conversationId }: { readonly conversationId: ConversationId }) {
  const t = useT();
  const { chat } = useWarren();
  const count = useStore(chat.heldUp, (heldUp) => heldUp[conversationId] ?? 0);
  const isHeldUp = count > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: announced once, not with each message that is sent
  useEffect(() => {
    if (isHeldUp) announceHeldUp(`held-up/${conversationId}`, count);
  }, [isHeldUp]);
  if (!isHeldUp) return null;
  return (
    <div className="border-line border-t bg-surface">
      <p className="mx-auto flex max-w-[792px] items-center gap-2 px-4 py-2 text-compact text-text-2">
        <ClockIcon size={14} className="shrink-0" />
        <span className="tabular-nums">{t("conversation.heldUp", { count })}</span>
      </p>
    </div>
  );
}

/** Shows of whom texts to everyone have not arrived although later ones have. */
function MissingLines() {
  const { chat } = useWarren();
  const missing = useStore(chat.missing, (counts) => counts);
  return Object.entries(missing).map(([id, count]) => <MissingLine key={id} clientId={id} count={count} />);
}

function MissingLine({ clientId, count }: { readonly clientId: ClientId; readonly count: number }) {
  const t = useT();
  const { name } = usePerson(clientId);
  return (
    <div className="border-line border-t bg-surface">
      <p className="mx-auto flex max-w-[792px] items-center gap-2 px-4 py-2 text-compact text-text-2">
        <AlertIcon size={14} className="shrink-0" />
        <span className="tabular-nums">{t("conversation.missing", { count, name })}</span>
      </p>
    </div>
  );
}

/** The composer; in an empty room the invite instead, unless there is a draft. */
function Foot({ partner, isEmpty }: { readonly partner: Partner; readonly isEmpty: boolean }) {
  const { id } = partner;
  const { drafts } = useTab();
  const hasDraft = useStore(drafts.store, () => !isEmptyDraft(drafts.of(id)));
  const invites = useAlone() && partner.isRoom;
  return (
    <>
      {invites && !isEmpty && (
        <div className="border-line border-t">
          <InviteBar />
        </div>
      )}
      {(!invites || hasDraft) && <Composer key={`composer/${id}`} conversationId={id} />}
    </>
  );
}

/** Replaces the composer while the room is empty: the room's link and QR code. */
function InviteBar() {
  const t = useT();
  const link = useJoinLink({ withTurn: false });
  return (
    <section aria-label={t("waiting.roomLink")} className="shrink-0 bg-surface">
      <div className="mx-auto flex max-w-[792px] items-center gap-5 px-4 py-4 pb-[max(16px,env(safe-area-inset-bottom))] max-md:flex-col max-md:gap-3">
        <div className="w-48 shrink-0">
          <QrCode text={link} />
        </div>
        <div className="w-full min-w-0 flex-1">
          <p role="status" className="mb-3 text-body text-text-2">
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
  if (useAlone() && isRoom) return <InviteBar />;
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

function UnknownClient() {
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
