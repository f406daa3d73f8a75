import { useVirtualizer } from "@tanstack/react-virtual";
import type { TreeEntry, TreeFile } from "@warren/protocol/tree";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { useMediaQuery } from "../../ui/hooks/use-media-query.ts";
import { ChevronRightIcon, FolderIcon, SaveIcon } from "../../ui/icons.ts";
import { MiddleEllipsis } from "../../ui/text/middle-ellipsis.tsx";
import { fileIcon } from "../file-kind.ts";
import { moveInTree } from "./tree-moves.ts";
import { type TreeRow, treeNodes, treeRows } from "./tree-nodes.ts";

const rowHeightPx = { mouse: 30, touch: 44 };
const indentPx = 18;

interface TreeViewProps {
  readonly entries: readonly TreeEntry[];
  /** The name of the tree. */
  readonly label: string;
  readonly canPreview: (file: TreeFile) => boolean;
  readonly onPreview: (file: TreeFile) => void;
  /** Null while files cannot be saved. */
  readonly onSave: ((file: TreeFile) => void) | null;
}

/** A tree of files with arrow-key navigation; renders only the visible rows. */
export function TreeView({ entries, label, canPreview, onPreview, onSave }: TreeViewProps) {
  const nodes = useMemo(() => treeNodes(entries), [entries]);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => firstExpanded(nodes));
  const rows = useMemo(() => treeRows(nodes, expanded), [nodes, expanded]);
  const [activePath, setActivePath] = useState<string | null>(null);
  const active = Math.max(
    0,
    rows.findIndex(({ node }) => node.path === activePath),
  );
  const box = useRef<HTMLDivElement>(null);
  const isTouch = useMediaQuery("(pointer: coarse)");
  const height = isTouch ? rowHeightPx.touch : rowHeightPx.mouse;
  const id = useId();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 8,
  });

  const toggle = (path: string, open: boolean): void => {
    const next = new Set(expanded);
    if (open) next.add(path);
    else next.delete(path);
    setExpanded(next);
  };
  const press = (row: TreeRow): void => {
    setActivePath(row.node.path);
    if (row.node.kind === "folder") toggle(row.node.path, !row.isExpanded);
    else if (canPreview(row.node.file)) onPreview(row.node.file);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[active];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const move = moveInTree(event.key, rows, active);
    if (event.key === "Enter" || event.key === " ") {
      press(row);
      if (row.node.kind === "file" && !canPreview(row.node.file)) onSave?.(row.node.file);
    } else if (move === null) return;
    else if (move.kind === "toggle") toggle(row.node.path, move.open);
    else {
      setActivePath(rows[move.index]?.node.path ?? null);
      virtualizer.scrollToIndex(move.index);
    }
    event.preventDefault();
    event.stopPropagation(); // The surrounding log handles arrow keys too.
  };

  const rendered = virtualizer.getVirtualItems();
  const isRendered = rendered.some(({ index }) => index === active);
  return (
    <div
      ref={box}
      role="tree"
      aria-label={label}
      aria-activedescendant={isRendered ? `${id}-${active}` : undefined}
      tabIndex={0}
      className="group/tree max-h-60 overflow-y-auto overscroll-contain rounded-control outline-offset-2"
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {rendered.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <Row
              key={row.node.path}
              id={`${id}-${index}`}
              row={row}
              top={start}
              height={height}
              isActive={index === active}
              canOpen={row.node.kind === "folder" || canPreview(row.node.file)}
              onPress={() => press(row)}
              onSave={onSave}
            />
          );
        })}
      </div>
    </div>
  );
}

/** A tree with a single folder, or with few entries, starts expanded. */
function firstExpanded(nodes: ReturnType<typeof treeNodes>): ReadonlySet<string> {
  const [only] = nodes;
  return new Set(nodes.length === 1 && only?.kind === "folder" ? [only.path] : []);
}

interface RowProps {
  readonly id: string;
  readonly row: TreeRow;
  readonly top: number;
  readonly height: number;
  readonly isActive: boolean;
  readonly canOpen: boolean;
  readonly onPress: () => void;
  readonly onSave: ((file: TreeFile) => void) | null;
}

function Row({ id, row, top, height, isActive, canOpen, onPress, onSave }: RowProps) {
  const t = useT();
  const format = useFormat();
  const { node, level, position, setSize, isExpanded } = row;
  const isFolder = node.kind === "folder";
  const size = format.size(node.size);
  const canExpand = isFolder && node.children.length > 0;
  const Glyph = isFolder ? FolderIcon : fileIcon(node.name, node.file.mimeType);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: as above, through aria-activedescendant
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-expanded={canExpand ? isExpanded : undefined}
      aria-selected={isActive}
      style={{ top, height, paddingInlineStart: (level - 1) * indentPx }}
      className={cx(
        "group/row absolute inset-x-0 flex items-center gap-1.5 rounded-control pe-1 text-compact",
        canOpen && "cursor-pointer hover:bg-hover",
        isActive && "group-focus-visible/tree:bg-selected",
      )}
      onClick={onPress}
    >
      <ChevronRightIcon
        size={14}
        className={cx(
          "text-text-3 transition-transform",
          isExpanded && "rotate-90",
          !canExpand && "invisible",
        )}
      />
      <Glyph size={16} className="text-text-2" />
      <MiddleEllipsis text={node.name} className="flex-1" />
      {!isFolder && node.file.originalPath !== undefined && (
        <span className="min-w-0 flex-1 truncate text-meta text-text-2" title={node.file.originalPath}>
          {t("folders.originalPath", { path: node.file.originalPath })}
        </span>
      )}
      <span className="shrink-0 text-meta text-text-2">
        {isFolder ? (
          <>
            <span aria-hidden="true">{size}</span>
            <span className="sr-only">{t("folders.filesAndSize", { count: node.fileCount, size })}</span>
          </>
        ) : (
          size
        )}
      </span>
      {node.kind === "file" && onSave !== null && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t("folders.saveFile", { name: node.name })}
          className="flex size-7 shrink-0 items-center justify-center rounded-control text-text-2 transition-colors hover:bg-selected hover:text-text touch:size-11"
          onClick={(event) => {
            event.stopPropagation();
            onSave(node.file);
          }}
        >
          <SaveIcon size={16} />
        </button>
      )}
    </div>
  );
}
