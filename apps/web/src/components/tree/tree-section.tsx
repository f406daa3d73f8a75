import type { FileMessage } from "@warren/core";
import type { TreeEntry, TreeFile } from "@warren/protocol/tree";
import { useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { ChevronRightIcon } from "../../ui/icons.tsx";
import { componentOnDemand } from "../../ui/on-demand.tsx";
import { claimsPicture } from "../use-picture.ts";
import { useSaveTree } from "./use-save-tree.ts";
import { useTreeName } from "./use-tree-words.ts";

const TreeView = componentOnDemand(async () => (await import("./tree-view.tsx")).TreeView);

interface TreeSectionProps {
  readonly message: FileMessage;
  readonly entries: readonly TreeEntry[];
  /** Whether its files can be had. */
  readonly isHere: boolean;
  readonly onPreviewFile: ((file: File) => Promise<boolean>) | undefined;
}

/** What is in a tree, behind a button at the foot of its card. */
export function TreeSection({ message, entries, isHere, onPreviewFile }: TreeSectionProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const name = useTreeName(message.file);
  const saveTree = useSaveTree(message.file);
  if (entries.length === 0) return null;
  const preview = async (entry: TreeFile): Promise<void> => {
    const file = await saveTree.open(entry);
    if (file && (await onPreviewFile?.(file))) saveTree.file(entry);
  };
  const canPreview = ({ path, mimeType }: TreeFile): boolean =>
    isHere && onPreviewFile !== undefined && claimsPicture({ fileName: path, mimeType });
  return (
    <div className="mt-2">
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
            onPreview={(entry) => void preview(entry)}
            onSave={isHere ? saveTree.file : null}
          />
        </div>
      )}
    </div>
  );
}
