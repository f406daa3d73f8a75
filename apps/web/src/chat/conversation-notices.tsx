import { type ConversationId, everyone } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect } from "react";
import { useShallow } from "zustand/react/shallow";
import { useT } from "../i18n/use-t.ts";
import { usePerson } from "../people/use-person.ts";
import { Banner } from "../ui/banner.tsx";
import { AlertIcon, ClockIcon, type Icon } from "../ui/icons.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { announceHeldUp } from "./message/announcements.ts";

/** What a person should know of a conversation before writing: what was refused, waits, or is missing. */
export function ConversationNotices({ conversationId }: { readonly conversationId: ConversationId }) {
  return (
    <>
      <RefusedNotes conversationId={conversationId} />
      <HeldUpLine conversationId={conversationId} />
      {conversationId === everyone && <MissingLines />}
    </>
  );
}

interface NoticeLineProps {
  readonly icon: Icon;
  readonly children: string;
}

function NoticeLine({ icon: Glyph, children }: NoticeLineProps) {
  return (
    <div className="border-line border-t bg-surface">
      <p className="mx-auto flex max-w-[792px] items-center gap-2 px-4 py-2 text-compact text-text-2">
        <Glyph size={14} className="shrink-0" />
        <span className="tabular-nums">{children}</span>
      </p>
    </div>
  );
}

/** Shows whose messages were refused, and what helps. */
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
  return refused.map((id) => <RefusedNote key={id} personId={id} />);
}

function RefusedNote({ personId }: { readonly personId: ClientId }) {
  const t = useT();
  const { name } = usePerson(personId);
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
  return <NoticeLine icon={ClockIcon}>{t("conversation.heldUp", { count })}</NoticeLine>;
}

/** Shows of whom texts to everyone have not arrived although later ones have. */
function MissingLines() {
  const { chat } = useWarren();
  const missing = useStore(chat.missing, (counts) => counts);
  return Object.entries(missing).map(([id, count]) => <MissingLine key={id} personId={id} count={count} />);
}

function MissingLine({ personId, count }: { readonly personId: ClientId; readonly count: number }) {
  const t = useT();
  const { name } = usePerson(personId);
  return <NoticeLine icon={AlertIcon}>{t("conversation.missing", { count, name })}</NoticeLine>;
}
