import { type ClipboardText, type ConversationId, everyone } from "@warren/core";
import { truncated } from "@warren/protocol";
import { useMemo } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf, shownName } from "../../people/shown-name.ts";
import { usePerson } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ClipboardIcon, CopyIcon } from "../../ui/icons.ts";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.tsx";
import { useCopyText } from "../../wiring/use-copy-text.ts";
import { useProfile, useStore, useWarren } from "../../wiring/warren-context.tsx";

/** A text with its sender; null where the sender is already shown. */
interface Text extends ClipboardText {
  readonly sender: string | null;
}

interface ClipboardDialogProps extends DialogSlot<never> {
  readonly conversationId: ConversationId;
}

/** Shows the clipboard texts received from a client, or from everyone. */
export function showClipboard(conversationId: ConversationId): void {
  void openDialog(ClipboardDialog, { conversationId });
}

/**
 * The last clipboard texts of a client, or of all, for copying again. A text sent to everyone counts as one
 * of the sender's own: the same permissions apply.
 */
export function ClipboardDialog({ conversationId, dialog }: ClipboardDialogProps) {
  const t = useT();
  const { chat } = useWarren();
  const isRoom = conversationId === everyone;
  const { firstName } = usePerson(conversationId);
  const name = isRoom ? t("people.everyone") : firstName;
  const texts = useTexts(conversationId);
  const rows = useNumbered(texts);
  const clear = (): void => {
    const { clipboards } = chat.store.getState();
    for (const clientId of isRoom ? Object.keys(clipboards) : [conversationId]) chat.clearClipboard(clientId);
  };
  return (
    <Dialog
      dialog={dialog}
      title={isRoom ? t("clipboardAll.title") : t("clipboard.title", { name })}
      description={texts.length > 0 ? t(isRoom ? "clipboardAll.line" : "clipboard.line") : undefined}
      closeLabel={t("common.close")}
    >
      {texts.length === 0 ? (
        <EmptyState icon={ClipboardIcon} title={t("clipboard.empty")} className="py-6">
          {isRoom ? t("clipboardAll.emptyLine") : t("clipboard.emptyLine", { name })}
        </EmptyState>
      ) : (
        <>
          <ul className="-mx-2 mt-3 flex flex-col">
            {rows.map(({ key, text }) => (
              <TextRow key={key} {...text} />
            ))}
          </ul>
          <DialogFooter>
            <Button variant="danger-text" onClick={clear}>
              {t("clipboard.clear")}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}

/** The texts of a conversation, newest first. */
function useTexts(conversationId: ConversationId): readonly Text[] {
  const t = useT();
  const { chat } = useWarren();
  const clipboards = useStore(chat.store, (state) => state.clipboards);
  const contacts = useStore(chat.store, (state) => state.contacts);
  const { name: ownName } = useProfile();
  return useMemo(() => {
    if (conversationId !== everyone)
      return (clipboards[conversationId] ?? []).map((text) => ({ ...text, sender: null }));
    return Object.entries(clipboards)
      .flatMap(([id, texts = []]) => {
        const sender = firstNameOf(shownName(id, contacts, ownName) ?? t("people.someone"));
        return texts.map((text) => ({ ...text, sender }));
      })
      .sort((a, b) => b.receivedAt - a.receivedAt);
  }, [t, conversationId, clipboards, contacts, ownName]);
}

/**
 * Texts may be equal and arrive in the same millisecond: rows are keyed by the number of equal ones before.
 */
function useNumbered(texts: readonly Text[]) {
  return useMemo(() => texts.map((text, index) => ({ key: texts.length - index, text })), [texts]);
}

function TextRow({ text, receivedAt, sender }: Text) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const copyText = useCopyText();
  return (
    <li className="flex items-center gap-3 rounded-row px-2 py-1.5 hover:bg-hover">
      <span className="min-w-0 flex-1">
        <span
          dir="auto"
          className="line-clamp-3 whitespace-pre-wrap font-mono text-[12px] leading-[18px] [overflow-wrap:anywhere]"
        >
          {truncated(text, 600)}
        </span>
        <span className="flex gap-2 text-meta text-text-2">
          {sender !== null && <span className="min-w-0 truncate">{sender}</span>}
          <time dateTime={new Date(receivedAt).toISOString()} className="shrink-0">
            {format.stamp(receivedAt, now)}
          </time>
        </span>
      </span>
      <IconButton
        icon={CopyIcon}
        label={t("clipboard.copy")}
        tooltipSide="top"
        onClick={() => void copyText(text)}
      />
    </li>
  );
}
