import type { FileMessage } from "@warren/core";
import { containsWords, folded } from "@warren/core";
import type { TreeEntry, TreeFile } from "@warren/protocol/tree";
import { type ReactNode, use, useMemo, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { ChevronRightIcon } from "../../ui/icons.ts";
import { HighlightContext, Highlighted } from "../../ui/text/highlighted.tsx";
import { fileIcon } from "../file-kind.ts";
import { claimsPreview } from "../preview/preview-kind.ts";
import { useIsStored } from "../use-is-stored.ts";
import { PictureMosaic } from "./picture-mosaic.tsx";
import { useTreeName } from "./tree-name.ts";
import { baseName } from "./tree-nodes.ts";
import { picturesOf } from "./tree-pictures.ts";
import { filesFound } from "./tree-search.ts";
import { TreeView } from "./tree-view.tsx";
import { useSaveTree } from "./use-save-tree.ts";

const noEntries: readonly TreeEntry[] = [];

interface TreeSectionProps {
  readonly message: FileMessage;
  /** Null until known. */
  readonly entries: readonly TreeEntry[] | null;
  /** Whether its files are complete and can be saved. */
  readonly isHere: boolean;
  /** The pictures of others have their space from the offer on. */
  readonly isMine: boolean;
  /** The preview in its offer: over its pictures until they are here, or alone. */
  readonly cover: (isOverlay: boolean) => ReactNode;
  /** How far it is, at the end of the line of the button. */
  readonly status: ReactNode;
  readonly onPreviewEntry: ((entry: TreeFile) => void) | undefined;
}

/** The content of a tree: its first pictures, and all entries behind a button at the foot of its card. */
export function TreeSection(props: TreeSectionProps) {
  const { message, isMine, isHere, cover, status, onPreviewEntry } = props;
  const entries = props.entries ?? noEntries;
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const name = useTreeName(message.file);
  const label = isOpen ? t("folders.hide") : t("folders.show");
  const saveTree = useSaveTree(message.file);
  const isStored = useIsStored(message.file.fid);
  const pictures = useMemo(() => picturesOf(message, props.entries), [message, props.entries]);
  const words = use(HighlightContext);
  const found = useMemo(() => filesFound(entries, words), [entries, words]);
  const canPreview = ({ path, mimeType }: TreeFile): boolean =>
    isStored && onPreviewEntry !== undefined && claimsPreview({ fileName: path, mimeType });
  return (
    <div className="mt-2">
      {pictures !== null && (isStored || !isMine) ? (
        <div className="relative">
          <PictureMosaic
            fid={message.file.fid}
            pictures={pictures}
            isStored={isStored}
            label={name}
            onPreview={onPreviewEntry}
          />
          {!isStored && cover(true)}
        </div>
      ) : (
        cover(false)
      )}
      {found.length > 0 && (
        <FoundFiles
          files={found}
          words={words}
          canPreview={canPreview}
          onPreview={(entry) => onPreviewEntry?.(entry)}
        />
      )}
      <div className="flex min-h-7 items-center gap-3 touch:min-h-11">
        {entries.length > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={t("common.actionOf", { action: label, name })}
            className="-ms-1 flex h-7 shrink-0 items-center gap-1 rounded-control pe-2 text-compact text-text-2 transition-colors hover:bg-hover hover:text-text touch:h-11"
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRightIcon size={16} className={cx("transition-transform", isOpen && "rotate-90")} />
            {label}
          </button>
        )}
        {status}
      </div>
      {isOpen && (
        <div className="mt-1">
          <TreeView
            entries={entries}
            label={t("folders.listLabel", { name })}
            canPreview={canPreview}
            onPreview={(entry) => onPreviewEntry?.(entry)}
            onSave={isHere ? saveTree.file : null}
          />
        </div>
      )}
    </div>
  );
}

/** Beyond this, only their number is shown. */
const shownMax = 3;

interface FoundFilesProps {
  readonly files: readonly TreeFile[];
  readonly words: readonly string[];
  readonly canPreview: (file: TreeFile) => boolean;
  readonly onPreview: (file: TreeFile) => void;
}

/** The files of a tree found by a search, with the matches marked. */
function FoundFiles({ files, words, canPreview, onPreview }: FoundFilesProps) {
  const t = useT();
  const format = useFormat();
  const moreCount = files.length - shownMax;
  return (
    <div className="mt-1">
      <ul aria-label={t("folders.found")}>
        {files.slice(0, shownMax).map((file) => {
          const { path, mimeType } = file;
          const name = baseName(path);
          const size = format.size(file.size);
          const Glyph = fileIcon(name, mimeType);
          const content = (
            <>
              <Glyph size={16} className="shrink-0 text-text-2" />
              <span className="min-w-0 flex-1 truncate text-start" title={path}>
                <Highlighted text={containsWords(folded(name), words) ? name : path} />
              </span>
              <span className="shrink-0 text-meta text-text-2">{size}</span>
            </>
          );
          const rowClass =
            "flex h-7 w-full items-center gap-1.5 rounded-control px-1 text-compact touch:h-11";
          return (
            <li key={path}>
              {canPreview(file) ? (
                <button
                  type="button"
                  aria-label={t("common.actionOf", {
                    action: t("file.preview"),
                    name: t("file.nameAndSize", { name, size }),
                  })}
                  className={`${rowClass} transition-colors hover:bg-hover`}
                  onClick={() => onPreview(file)}
                >
                  {content}
                </button>
              ) : (
                <span className={rowClass}>{content}</span>
              )}
            </li>
          );
        })}
      </ul>
      {moreCount > 0 && (
        <p className="px-1 text-meta text-text-2">{t("folders.foundMore", { count: moreCount })}</p>
      )}
    </div>
  );
}
