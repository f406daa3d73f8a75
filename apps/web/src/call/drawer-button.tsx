import type { ConversationId } from "@warren/core";
import { useT } from "../i18n/use-t.ts";
import { Badge } from "../ui/badge.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { ChatIcon } from "../ui/icons.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";

export const drawerId = "call-conversation";

interface DrawerButtonProps {
  readonly conversationId: ConversationId;
  readonly isOpen: boolean;
  /** Whether it lies over a picture that fills the page. */
  readonly isOverPicture: boolean;
  readonly onClick: () => void;
}

/** Opens the conversation beside the call, and says what is unread there. */
export function DrawerButton({ conversationId, isOpen, isOverPicture, onClick }: DrawerButtonProps) {
  const t = useT();
  const { chat } = useWarren();
  const unread = useStore(chat.store, (state) => state.conversations[conversationId]?.unread ?? 0);
  return (
    <span className="relative shrink-0">
      <IconButton
        icon={ChatIcon}
        label={t("call.conversation")}
        aria-expanded={isOpen}
        aria-controls={isOpen ? drawerId : undefined}
        aria-pressed={isOpen}
        className={isOverPicture ? "rounded-full bg-over-picture text-white" : undefined}
        onClick={onClick}
      />
      {unread > 0 && (
        <Badge
          count={unread}
          label={t("nav.unread", { count: unread })}
          className="pointer-events-none absolute -top-1 -right-1"
        />
      )}
    </span>
  );
}
