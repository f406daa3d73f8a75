import type { ClipboardText } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useMemo } from "react";
import { useCopyText } from "../components/use-copy-text.ts";
import { usePerson } from "../components/use-person.ts";
import { useStore, useWarren } from "../components/warren-context.tsx";
import { useNow } from "../hooks/use-now.ts";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { ClipboardIcon, CopyIcon } from "../ui/icons.tsx";
import type { DialogSlot } from "./open-dialog.tsx";

const noTexts: readonly ClipboardText[] = [];

interface ClipboardDialogProps extends DialogSlot<never> {
  readonly clientId: ClientId;
}

/** The last clipboard texts of a person, to be copied again. */
export function ClipboardDialog({ clientId, dialog }: ClipboardDialogProps) {
  const t = useT();
  const { chat } = useWarren();
  const { firstName: name } = usePerson(clientId);
  const texts = useStore(chat.store, (state) => state.clipboards[clientId]) ?? noTexts;
  const rows = useNumbered(texts);
  return (
    <Dialog
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      title={t("clipboard.title", { name })}
      description={texts.length > 0 ? t("clipboard.line") : undefined}
      closeLabel={t("common.close")}
    >
      {texts.length === 0 ? (
        <EmptyState icon={ClipboardIcon} title={t("clipboard.empty")} className="py-6">
          {t("clipboard.emptyLine", { name })}
        </EmptyState>
      ) : (
        <>
          <ul className="-mx-2 mt-3 flex flex-col">
            {rows.map(({ key, text }) => (
              <TextRow key={key} {...text} />
            ))}
          </ul>
          <DialogFooter>
            <Button variant="danger-text" onClick={() => chat.clearClipboard(clientId)}>
              {t("clipboard.clear")}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}

/** Texts may be equal and come in one moment: the rows are told apart by how many came before. */
function useNumbered(texts: readonly ClipboardText[]) {
  return useMemo(() => texts.map((text, index) => ({ key: texts.length - index, text })), [texts]);
}

function TextRow({ text, receivedAt }: ClipboardText) {
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
          {text.slice(0, 600)}
        </span>
        <time dateTime={new Date(receivedAt).toISOString()} className="text-meta text-text-2">
          {format.stamp(receivedAt, now)}
        </time>
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
