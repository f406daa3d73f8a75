import type { FileId } from "@warren/protocol";
import type { ReactNode } from "react";
import { useT } from "../../i18n/use-t.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import {
  ChatIcon,
  CheckIcon,
  DeleteIcon,
  ForwardIcon,
  LockIcon,
  MoreIcon,
  PeopleIcon,
  PlayIcon,
  SaveIcon,
  SendIcon,
  ShowIcon,
} from "../../ui/icons.ts";
import { ContextMenu, type ContextTarget, Menu, MenuItem, MenuSeparator } from "../../ui/overlays/menu.tsx";
import { printedKeys } from "../../wiring/shortcuts/printed-keys.ts";
import { SaveTreeItems } from "../tree/save-tree-menu.tsx";
import { treeName } from "../tree/tree-name.ts";
import { canResume, type FileRow, isComplete, isSingle } from "./file-row.ts";
import type { FileRowActions } from "./use-file-row-actions.ts";

interface FileMenuItemsProps {
  readonly row: FileRow;
  readonly actions: FileRowActions;
  /** The list that its preview pages through. */
  readonly shown: readonly FileRow[];
  /** Selects the row, if it has no checkbox. */
  readonly onToggle?: (() => void) | undefined;
}

interface FileMenuProps extends FileMenuItemsProps {
  readonly tabIndex: number;
}

/** The id of a file's menu button. */
function fileMenuId(fid: FileId): string {
  return `file-menu-${fid}`;
}

/** The menu button of one file. */
export function FileMenu({ tabIndex, ...items }: FileMenuProps) {
  const t = useT();
  const { fid, file } = items.row;
  const label = t("files.actions", { name: treeName(file.description, t) });
  return (
    <Menu trigger={<IconButton id={fileMenuId(fid)} icon={MoreIcon} label={label} tabIndex={tabIndex} />}>
      <FileMenuItems {...items} />
    </Menu>
  );
}

/** Saves a file to disk, a folder as chosen; renders nothing for an incomplete file. */
export function SaveButton({ row, actions, tabIndex }: Omit<FileMenuProps, "shown">) {
  const t = useT();
  const { description } = row.file;
  if (!isComplete(row)) return null;
  const name = treeName(description, t);
  const button = (onClick?: () => void) => (
    <IconButton
      icon={SaveIcon}
      label={t("files.saveFile", { name })}
      hint={t("common.save")}
      tabIndex={tabIndex}
      {...(onClick && { onClick })}
    />
  );
  if (description.tree === undefined) return button(() => actions.save([row]));
  return (
    <Menu trigger={button()}>
      <SaveTreeItems file={description} />
    </Menu>
  );
}

/** The menu items of one file. */
function FileMenuItems({ row, actions, shown, onToggle }: FileMenuItemsProps) {
  const t = useT();
  const { share } = actions;
  const isOne = isSingle(row);
  return (
    <>
      {isOne && (
        <MenuItem icon={ShowIcon} shortcut="Enter" onSelect={() => actions.open(row, shown)}>
          {t("file.preview")}
        </MenuItem>
      )}
      {isOne && (
        <MenuItem icon={SaveIcon} shortcut="S" onSelect={() => actions.save([row])}>
          {t("files.save")}
        </MenuItem>
      )}
      {isOne && share !== null && (
        <MenuItem icon={SendIcon} onSelect={() => share([row])}>
          {t("common.share")}
        </MenuItem>
      )}
      {isComplete(row) && !isOne && <SaveTreeItems file={row.file.description} />}
      {isComplete(row) && (
        <MenuItem icon={ForwardIcon} shortcut="F" onSelect={() => actions.forward([row])}>
          {t("common.forward")}
        </MenuItem>
      )}
      {isComplete(row) && <SharingItem row={row} actions={actions} />}
      {canResume(row) && (
        <MenuItem icon={PlayIcon} onSelect={() => actions.resume(row)}>
          {t(row.status === "missing" ? "file.askAgain" : "file.resume")}
        </MenuItem>
      )}
      {row.message !== null && (
        <MenuItem icon={ChatIcon} onSelect={() => actions.showMessage(row)}>
          {t("files.showMessage")}
        </MenuItem>
      )}
      {onToggle !== undefined && (
        <MenuItem icon={CheckIcon} onSelect={onToggle}>
          {t("files.selectFile")}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem
        icon={DeleteIcon}
        danger
        shortcut={printedKeys("Delete")}
        onSelect={() => void actions.remove([row])}
      >
        {t("common.delete")}
      </MenuItem>
    </>
  );
}

function SharingItem({ row, actions }: Pick<FileMenuItemsProps, "row" | "actions">) {
  const t = useT();
  const { shared } = row.file;
  return (
    <MenuItem icon={shared ? LockIcon : PeopleIcon} onSelect={() => actions.setShared(row, !shared)}>
      {t(shared ? "fileSharing.stop" : "fileSharing.start")}
    </MenuItem>
  );
}

interface FileContextMenuProps {
  readonly rows: readonly FileRow[];
  readonly actions: FileRowActions;
  /** Selects a row, in lists without checkboxes. */
  readonly onToggle?: (fid: FileId) => void;
  readonly children: ReactNode;
}

/** The context menu of a file row, with the same items as its menu button. */
export function FileContextMenu({ rows, actions, onToggle, children }: FileContextMenuProps) {
  const items = (fid: FileId): ReactNode => {
    const row = rows.find((one) => one.fid === fid);
    const toggle = onToggle && (() => onToggle(fid));
    // The file may have been deleted since the menu was opened.
    return row && <FileMenuItems row={row} actions={actions} shown={rows} onToggle={toggle} />;
  };
  return (
    <ContextMenu find={findFile} items={items}>
      {children}
    </ContextMenu>
  );
}

function findFile(pressed: Element): ContextTarget | null {
  const fid = pressed.closest<HTMLElement>("[data-row]")?.dataset.row;
  return fid === undefined ? null : { id: fid, labelledBy: fileMenuId(fid) };
}
