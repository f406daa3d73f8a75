import type { FileMessage } from "@warren/core";
import type { TreeEntry, TreeFile } from "@warren/protocol/tree";
import { use, useMemo, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { HighlightContext } from "../../ui/highlighted.tsx";
import { ChevronRightIcon } from "../../ui/icons.ts";
import { componentOnDemand } from "../../ui/on-demand.tsx";
import { useStore, useWarren } from "../../ui/warren-context.tsx";
import { claimsPreview } from "../preview-kind.ts";
import { FoundFiles } from "./found-files.tsx";
import { PictureMosaic } from "./picture-mosaic.tsx";
import { treePictures } from "./tree-pictures.ts";
import { filesFound } from "./tree-search.ts";
import { useSaveTree } from "./use-save-tree.ts";
import { useTreeName } from "./use-tree-words.ts";

const TreeView = componentOnDemand(async () => (await import("./tree-view.tsx")).TreeView);

interface TreeSectionProps {
  readonly message: FileMessage;
  readonly entries: readonly TreeEntry[];
  /** Whether its files are complete and can be saved. */
  readonly isHere: boolean;
  /** Whether its files are still pending: the space of its pictures is reserved. */
  readonly isPending: boolean;
  readonly onPreviewEntry: ((entry: TreeFile) => void) | undefined;
}

/** The content of a tree: its first pictures, and all entries behind a button at the foot of its card. */
export function TreeSection(props: TreeSectionProps) {
  const { message, entries, isHere, isPending, onPreviewEntry } = props;
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const name = useTreeName(message.file);
  const saveTree = useSaveTree(message.file);
  const { files } = useWarren();
  const isStored = useStore(files.store, (library) => library[message.file.fid]?.state === "complete");
  const pictures = useMemo(() => treePictures(entries), [entries]);
  const foldedQuery = use(HighlightContext);
  const found = useMemo(() => filesFound(entries, foldedQuery), [entries, foldedQuery]);
  if (entries.length === 0) return null;
  const canPreview = ({ path, mimeType }: TreeFile): boolean =>
    isStored && onPreviewEntry !== undefined && claimsPreview({ fileName: path, mimeType });
  return (
    <div className="mt-2">
      {pictures !== null && (isStored || isPending) && (
        <PictureMosaic
          fid={message.file.fid}
          pictures={pictures}
          isStored={isStored}
          label={name}
          onPreview={onPreviewEntry}
        />
      )}
      {found.length > 0 && (
        <FoundFiles
          files={found}
          foldedQuery={foldedQuery}
          canPreview={canPreview}
          onPreview={(entry) => onPreviewEntry?.(entry)}
        />
      )}
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? t("folders.hide") : t("folders.show")}: ${name}`}
        className="-ms-1 flex h-7 items-center gap-1 rounded-control pe-2 text-compact text-text-2 transition-colors hover:bg-hover hover:text-text touch:h-11"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRightIcon size={16} className={cx("transition-transform", isOpen && "rotate-90")} />
        {isOpen ? t("folders.hide") : t("folders.show")}
      </button>
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
