import { type ChatMessage, reactionsOf } from "@warren/core";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useNameOf } from "../../people/use-person.ts";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ReactIcon } from "../../ui/icons.ts";
import { Tooltip } from "../../ui/overlays/tooltip.tsx";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { lazyWithPreload } from "../../wiring/lazy-with-preload.ts";
import { useProfile, useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { quickEmoji } from "../emoji/emoji-data.ts";

const EmojiDialog = lazyWithPreload(() => import("../emoji/emoji-dialog.tsx"));

/** Chooses an emoji for a message, or takes it back. */
function useReact({ key }: ChatMessage): (emoji: string) => void {
  const { chat } = useWarren();
  return (emoji) => void withErrorToast(() => chat.react(key, emoji));
}

/** The emoji under a message. Pressing one joins in, or takes one's own back. */
export function Reactions({ message }: { readonly message: ChatMessage }) {
  const t = useT();
  const format = useFormat();
  const nameOf = useNameOf();
  const { clientId: selfId } = useProfile();
  const react = useReact(message);
  const shown = reactionsOf(message);
  if (shown.length === 0) return null;
  return (
    <ul
      aria-label={t("conversation.reactions")}
      className="relative z-1 -mt-1 flex max-w-[min(100%,var(--message-width))] flex-wrap gap-1 px-1.5"
    >
      {shown.map(({ emoji, people }) => {
        const names = format.list(people.map((id) => (id === selfId ? t("common.you") : nameOf(id))));
        return (
          <li key={emoji}>
            <Tooltip text={names} side="top">
              <button
                type="button"
                aria-pressed={people.includes(selfId)}
                aria-label={t("conversation.reactedWith", { emoji, names })}
                className={cx(
                  "hit flex h-6 items-center gap-1 rounded-full border px-1.5 text-compact touch:h-8 touch:px-2.5",
                  people.includes(selfId)
                    ? "border-accent bg-selected text-text"
                    : "border-line-2 bg-raised text-text-2 hover:bg-hover",
                )}
                onClick={() => react(emoji)}
              >
                <span aria-hidden="true" className="font-emoji">
                  {emoji}
                </span>
                {people.length > 1 && <span className="tabular-nums">{people.length}</span>}
              </button>
            </Tooltip>
          </li>
        );
      })}
    </ul>
  );
}

interface QuickReactionsProps {
  readonly message: ChatMessage;
  /** Runs what was chosen. */
  readonly onReact: (react: () => void) => void;
}

/** The six emoji of one press, and a button that leads to all others. */
export function QuickReactions({ message, onReact }: QuickReactionsProps) {
  const t = useT();
  const { clientId: selfId } = useProfile();
  const react = useReact(message);
  const own = message.reactions?.[selfId]?.emoji ?? [];
  const chooseAny = async (anchor: DOMRect): Promise<void> => {
    const chosen = await openDialog(EmojiDialog, { anchor });
    if (!chosen.cancelled) react(chosen.value);
  };
  return (
    <>
      {quickEmoji.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={own.includes(emoji)}
          aria-label={t("conversation.reactWith", { emoji })}
          className="flex size-7 items-center justify-center rounded-control text-[17px] hover:bg-hover aria-pressed:bg-selected touch:size-11 touch:text-[22px]"
          onClick={() => onReact(() => react(emoji))}
        >
          <span aria-hidden="true" className="font-emoji">
            {emoji}
          </span>
        </button>
      ))}
      <IconButton
        icon={ReactIcon}
        label={t("conversation.reactWithAny")}
        size="sm"
        iconSize={16}
        tooltipSide="top"
        onClick={({ currentTarget }) => {
          const anchor = currentTarget.getBoundingClientRect();
          onReact(() => void chooseAny(anchor));
        }}
      />
    </>
  );
}
