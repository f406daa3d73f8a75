import type { FileId } from "@warren/protocol";
import type { ReactNode } from "react";
import { ContextMenu, type ContextTarget } from "../../ui/overlays.tsx";
import { FileMenuItems, fileMenuId } from "./file-menu.tsx";
import type { FileRow } from "./file-row.ts";
import type { FileActions } from "./use-file-actions.ts";

interface FileContextMenuProps {
  readonly rows: readonly FileRow[];
  readonly actions: FileActions;
  /** Selects a row, in lists without checkboxes. */
  readonly onTick?: (fid: FileId) => void;
  readonly children: ReactNode;
}

/** The context menu of a file row, with the same items as its menu button. */
export function FileContextMenu({ rows, actions, onTick, children }: FileContextMenuProps) {
  const items = (fid: FileId): ReactNode => {
    const row = rows.find((one) => one.fid === fid);
    const tick = onTick && (() => onTick(fid));
    // The file may have been deleted since the menu was opened.
    return row && <FileMenuItems row={row} actions={actions} shown={rows} onTick={tick} />;
  };
  return (
    <ContextMenu find={findFile} items={items}>
      {children}
    </ContextMenu>
  );
}

function findFile(pressed: Element): ContextTarget | null {
  const anchor = pressed.closest<HTMLElement>("[data-row]");
  const fid = anchor?.dataset.row;
  return anchor && fid !== undefined ? { id: fid, anchor, labelledBy: fileMenuId(fid) } : null;
}
