import { everyone } from "@warren/core";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useAlone } from "../room/meeting.ts";
import { isEmptyDraft } from "../tab/drafts.ts";
import { useTab } from "../tab/tab-context.ts";
import { paths } from "../wiring/paths.ts";
import { useToastInset } from "../wiring/use-toast-inset.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { AloneNotice } from "./alone-notice.tsx";
import { Composer } from "./composer/composer.tsx";

/**
 * The composer to everyone below the invitation of an empty room. Its conversation opens once something is written, and for who
 * is writing when somebody comes.
 */
export default function AloneFooter() {
  const { chat } = useWarren();
  const { drafts } = useTab();
  const [, navigate] = useLocation();
  const isAlone = useAlone();
  const footer = useRef<HTMLDivElement>(null);
  useToastInset(footer);
  const isWriting = useStore(drafts.store, () => !isEmptyDraft(drafts.of(everyone)));
  useEffect(() => {
    if (!isAlone && isWriting) navigate(paths.chat.href(everyone));
  }, [isAlone, isWriting, navigate]);
  useEffect(
    () =>
      chat.store.subscribe((now, before) => {
        const count = ({ conversations }: typeof now) => conversations[everyone]?.messages.length ?? 0;
        if (before.loaded && now.room === before.room && count(before) === 0 && count(now) > 0)
          navigate(paths.chat.href(everyone));
      }),
    [chat, navigate],
  );
  return (
    <div ref={footer} className="shrink-0">
      {isAlone && <AloneNotice withInvite={false} />}
      <Composer conversationId={everyone} />
    </div>
  );
}
