import { type ConversationId, everyone } from "@warren/core";
import { limits } from "@warren/protocol";
import { type FormEvent, useId, useRef, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { RouteLine } from "../../people/route-line.tsx";
import { hasRouteLine } from "../../people/route-text.ts";
import { usePerson } from "../../people/use-person.ts";
import { isTooLong } from "../../tab/drafts.ts";
import type { ForwardItem } from "../../tab/forward-item.ts";
import { Button, GuardedButton } from "../../ui/button.tsx";
import { FieldError } from "../../ui/fields/text-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { AddIcon, CloseIcon } from "../../ui/icons.ts";
import { Dialog, DialogFooter } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { MiddleEllipsis } from "../../ui/text/middle-ellipsis.tsx";
import { usePlatform } from "../../wiring/platform-context.ts";
import { fileIcon } from "../file-kind.ts";

type FileItem = Exclude<ForwardItem, { readonly type: "text" }>;

interface SendItemDialogProps extends DialogSlot<readonly ForwardItem[]> {
  readonly conversationId: ConversationId;
  /** The items already chosen. */
  readonly items: readonly ForwardItem[];
}

/** Asks what to send to one peer or everyone: a text, files, or both. */
export default function SendItemDialog({ conversationId, items, dialog }: SendItemDialogProps) {
  const t = useT();
  const format = useFormat();
  const person = usePerson(conversationId);
  const name = conversationId === everyone ? t("people.everyone") : person.name;
  const textId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { pickFiles } = usePlatform();
  const [text, setText] = useState(() =>
    items.flatMap((item) => (item.type === "text" ? [item.text] : [])).join("\n\n"),
  );
  const [files, setFiles] = useState<readonly FileItem[]>(() =>
    items.flatMap((item) => (item.type === "text" ? [] : [item])),
  );
  const isTextTooLong = isTooLong(text);
  const isEmpty = text.trim() === "" && files.length === 0;
  const reason = isEmpty ? t("sendItem.empty") : undefined;

  const addFiles = async (): Promise<void> => {
    const picked = (await pickFiles({ multiple: true })).map((file): FileItem => ({ type: "file", file }));
    setFiles((before) => [...before, ...picked]);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isEmpty || isTextTooLong) return;
    const texts: readonly ForwardItem[] = text.trim() === "" ? [] : [{ type: "text", text }];
    dialog.submit([...texts, ...files]);
  };

  return (
    <Dialog dialog={dialog} initialFocus={field} title={t("sendItem.title", { name })}>
      {hasRouteLine(person) && <RouteLine person={person} className="text-text-2" />}
      <form onSubmit={submit}>
        <label htmlFor={textId} className="mt-4 block font-medium text-compact">
          {t("sendItem.text")}
        </label>
        <textarea
          ref={field}
          id={textId}
          rows={4}
          value={text}
          aria-invalid={isTextTooLong || undefined}
          onChange={({ target }) => setText(target.value)}
          className="mt-1.5 block max-h-60 w-full resize-y rounded-control border border-control bg-surface px-3 py-2 outline-none focus-visible:border-focus focus-visible:shadow-[inset_0_0_0_1px_var(--focus)] pointer-coarse:text-[16px] forced-colors:focus-visible:outline-2"
        />
        {isTextTooLong && (
          <FieldError>{t("composer.tooLong", { limit: format.size(limits.textBytes) })}</FieldError>
        )}
        {files.length > 0 && (
          <ul aria-label={t("composer.files")} className="mt-3 max-h-44 overflow-y-auto">
            {files.map((item, i) => (
              <FileLine
                // biome-ignore lint/suspicious/noArrayIndexKey: the same file can be listed twice, and rows are only removed
                key={i}
                item={item}
                onRemove={() => setFiles(files.filter((other) => other !== item))}
              />
            ))}
          </ul>
        )}
        <Button icon={AddIcon} className="mt-3" onClick={() => void addFiles()}>
          {t("sendItem.addFiles")}
        </Button>
        <DialogFooter>
          <Button variant="ghost" onClick={dialog.cancel}>
            {t("common.cancel")}
          </Button>
          <GuardedButton variant="primary" type="submit" disabledReason={reason}>
            {t("common.send")}
          </GuardedButton>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function FileLine({ item, onRemove }: { readonly item: FileItem; readonly onRemove: () => void }) {
  const t = useT();
  const format = useFormat();
  const fileName = item.type === "file" ? item.file.name : item.fileName;
  const Glyph = fileIcon(fileName, item.type === "file" ? item.file.type : "");
  return (
    <li className="flex h-10 items-center gap-2.5 touch:h-11">
      <Glyph size={16} className="text-text-2" />
      <MiddleEllipsis text={fileName} className="flex-1 text-body" />
      {item.type === "file" && <span className="text-meta text-text-2">{format.size(item.file.size)}</span>}
      <IconButton
        size="sm"
        icon={CloseIcon}
        iconSize={15}
        label={t("sendItem.remove", { name: fileName })}
        onClick={onRemove}
      />
    </li>
  );
}
