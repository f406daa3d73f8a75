import { useEffect, useRef } from "react";
import { fileIcon } from "../../files/file-kind.ts";
import { Thumbnail } from "../../files/file-tile.tsx";
import { useThumbnail } from "../../files/use-thumbnail.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import type { Attachment } from "../../tab/drafts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { CloseIcon, FolderIcon } from "../../ui/icons.ts";
import { MiddleEllipsis } from "../../ui/text/middle-ellipsis.tsx";
import { announceAttached } from "../message/announcements.ts";

/** Twice the tile size, for high-density screens; in px. */
const thumbnailEdgePx = 80;

interface ComposerAttachmentsProps {
  readonly attachments: readonly Attachment[];
  readonly onRemove: (attachment: Attachment) => void;
}

/** The attachments of the draft. */
export function ComposerAttachments({ attachments, onRemove }: ComposerAttachmentsProps) {
  const t = useT();
  const lastAnnouncedKey = useRef(0);
  useEffect(() => {
    for (const attachment of attachments)
      if (attachment.key > lastAnnouncedKey.current)
        announceAttached(`attachment/${attachment.key}`, nameOf(attachment));
    lastAnnouncedKey.current = Math.max(lastAnnouncedKey.current, ...attachments.map(({ key }) => key));
  }, [attachments]);
  if (attachments.length === 0) return null;
  return (
    <ul
      aria-label={t("composer.attachments")}
      className="flex max-h-36 flex-wrap gap-1.5 overflow-y-auto overscroll-contain p-1 pb-1.5 max-md:pb-2"
    >
      {attachments.map((attachment) => (
        <Chip key={attachment.key} attachment={attachment} onRemove={() => onRemove(attachment)} />
      ))}
    </ul>
  );
}

function nameOf(attachment: Attachment): string {
  return attachment.kind === "file" ? attachment.file.name : attachment.folder.name;
}

function Chip({ attachment, onRemove }: { readonly attachment: Attachment; readonly onRemove: () => void }) {
  const t = useT();
  const format = useFormat();
  const name = nameOf(attachment);
  return (
    <li className="flex h-12 w-56 max-w-full items-center gap-2.5 rounded-row border border-line-2 bg-surface pr-1 pl-1.5 touch:h-13">
      <Tile attachment={attachment} />
      <span className="min-w-0 flex-1">
        <MiddleEllipsis text={name} className="text-compact font-medium" />
        <span className="block truncate text-meta text-text-2">
          {attachment.kind === "file" ? format.size(attachment.file.size) : t("composer.folder")}
        </span>
      </span>
      <IconButton
        size="sm"
        icon={CloseIcon}
        iconSize={15}
        label={t("sendItem.remove", { name })}
        tooltipSide="top"
        onClick={onRemove}
      />
    </li>
  );
}

function Tile({ attachment }: { readonly attachment: Attachment }) {
  const file = attachment.kind === "file" ? attachment.file : null;
  const isPicture = file?.type.startsWith("image/") === true;
  const thumbnail = useThumbnail(
    isPicture ? `attachment/${attachment.key}` : null,
    thumbnailEdgePx,
    async () => file,
  );
  const Glyph = file === null ? FolderIcon : fileIcon(file.name, file.type);
  return (
    <span className="flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-tile bg-sunken text-text-2">
      {thumbnail === null ? <Glyph size={18} /> : <Thumbnail address={thumbnail} />}
    </span>
  );
}
