import type { ConversationId } from "@warren/core";
import { type ReactNode, useRef } from "react";
import { useLocation } from "wouter";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ChatIcon, PeopleIcon } from "../ui/icons.ts";
import { paths } from "../ui/paths.ts";
import { useProfile, useRoom, useStore, useWarren } from "../ui/warren-context.tsx";
import { Composer } from "./composer.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import { draftOf, draftStore, isEmptyDraft } from "./drafts.ts";
import { DropTarget } from "./drop-target.tsx";
import { InviteBar } from "./invite-bar.tsx";
import { MessageLog } from "./message-log.tsx";
import { OffersBar } from "./offers-bar.tsx";
import { PagePaste } from "./page-paste.tsx";
import { RefusedNotes } from "./refused-note.tsx";
import { SearchBar } from "./search-bar.tsx";
import { useAlone } from "./use-alone.ts";
import { useMessageSearch } from "./use-message-search.ts";
import { type Partner, usePartner } from "./use-partner.ts";
import { useSend } from "./use-send.ts";
import { useToastInset } from "./use-toast-inset.ts";
import { useUnreadMark } from "./use-unread-mark.ts";

/** The note shown instead of the composer. */
const noteClass =
  "border-line border-t bg-surface px-5 py-4 text-center text-compact text-text-2 pb-[max(16px,env(safe-area-inset-bottom))]";

const nothingClass = "on-picture mx-auto w-fit [--picture-inset:16px]";

interface ConversationPaneProps {
  readonly conversationId: ConversationId;
  /** Additional header buttons, before More. */
  readonly headerActions?: ReactNode;
}

/** A conversation: header, log and composer. Needs a key per conversation. */
export function ConversationPane({ conversationId, headerActions }: ConversationPaneProps) {
  const t = useT();
  const { chat } = useWarren();
  const partner = usePartner(conversationId);
  const isLoaded = useStore(chat.store, (state) => state.loaded);
  const isEmpty = useStore(chat.store, (state) => !state.conversations[conversationId]?.messages.length);
  // Here and not in the log, which is not mounted before the first message: that one is read on arrival.
  const unread = useUnreadMark(conversationId, useProfile().clientId);
  const search = useMessageSearch(conversationId);
  const foot = useRef<HTMLDivElement>(null);
  useToastInset(foot);
  if (isLoaded && !partner.isKnown && isEmpty) return <NobodyHere />;
  const label = partner.isRoom
    ? t("conversation.labelEveryone")
    : t("conversation.label", { name: partner.name });
  return (
    <section
      aria-label={label}
      className="picture-window flex min-h-0 min-w-0 flex-1 flex-col bg-surface [--ground:var(--surface)]"
    >
      <ConversationHeader partner={partner} actions={headerActions} onSearch={search.open} />
      {search.isOpen && <SearchBar search={search} />}
      <ConnectionBanner partner={partner} />
      {isLoaded && !isEmpty ? (
        <MessageLog
          key={conversationId}
          conversationId={conversationId}
          label={label}
          unread={unread}
          search={search}
        />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto py-6">
          {isLoaded && <NothingSaid partner={partner} />}
        </div>
      )}
      {/* Keeps the newest messages clear of toasts if the window has no space beside the messages. */}
      <div className="@container shrink-0 max-md:hidden">
        <div className="h-(--toast-room,0px) @min-[98rem]:hidden" />
      </div>
      <div ref={foot} className="shrink-0">
        <RefusedNotes conversationId={conversationId} />
        {partner.trustLevel !== "blocked" && <OffersBar conversationId={conversationId} />}
        {partner.isStarter ? (
          <p className={noteClass}>{t("starter.noAnswer")}</p>
        ) : (
          partner.trustLevel !== "blocked" && <Foot partner={partner} isEmpty={isEmpty} />
        )}
      </div>
    </section>
  );
}

/** The composer; in an empty room the invite instead, unless there is a draft. */
function Foot({ partner, isEmpty }: { readonly partner: Partner; readonly isEmpty: boolean }) {
  const { id } = partner;
  const hasDraft = useStore(draftStore, () => !isEmptyDraft(draftOf(id)));
  const invites = useAlone() && partner.isRoom;
  return (
    <>
      {invites && !isEmpty && (
        <div className="border-line border-t">
          <InviteBar />
        </div>
      )}
      {(!invites || hasDraft) && (
        <>
          <Incoming partner={partner} />
          <Composer key={`composer/${id}`} conversationId={id} />
        </>
      )}
    </>
  );
}

/** Input from outside the page: drops and pastes. */
function Incoming({ partner }: { readonly partner: Partner }) {
  const send = useSend(partner.id);
  return (
    <>
      <PagePaste partner={partner} send={send} />
      <DropTarget send={send} partner={partner} />
    </>
  );
}

function NothingSaid({ partner: { isRoom, firstName } }: { readonly partner: Partner }) {
  const t = useT();
  if (useAlone() && isRoom) return <InviteBar />;
  return isRoom ? (
    <EmptyState icon={PeopleIcon} title={t("conversation.emptyEveryone")} className={nothingClass}>
      {t("conversation.emptyEveryoneLine")}
    </EmptyState>
  ) : (
    <EmptyState icon={ChatIcon} title={t("conversation.empty", { name: firstName })} className={nothingClass}>
      {t("conversation.emptyLine")}
    </EmptyState>
  );
}

function NobodyHere() {
  const t = useT();
  const [, navigate] = useLocation();
  const { roomId } = useProfile();
  const { status } = useRoom();
  const titles = {
    connected: t("conversation.notHere"),
    connecting: t("arrival.joining", { room: roomId }),
    disconnected: t("profile.roomNotJoined", { room: roomId }),
  };
  return (
    <section className="flex min-w-0 flex-1 flex-col items-center justify-center bg-surface">
      <EmptyState
        icon={PeopleIcon}
        title={titles[status]}
        action={<Button onClick={() => navigate(paths.home)}>{t("notFound.home")}</Button>}
      />
    </section>
  );
}
