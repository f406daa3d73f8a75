import { contentSizeOf } from "@warren/protocol";
import { memo } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Tag } from "../../ui/badge.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { cx } from "../../ui/cx.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import { FileTile } from "../file-tile.tsx";
import { useTreeName } from "../tree/use-tree-words.ts";
import { FileContextMenu } from "./file-context-menu.tsx";
import { FileMenu, SaveButton } from "./file-menu.tsx";
import { FileProgress } from "./file-progress.tsx";
import type { FileRow } from "./file-row.ts";
import { FileStatus } from "./file-status.tsx";
import type { FileViewProps } from "./file-table.tsx";
import type { FileActions } from "./use-file-actions.ts";
import { usePeopleWords } from "./use-people-words.ts";
import { useRowKeys } from "./use-row-keys.ts";
import { useRowWindow } from "./use-row-window.ts";

const rowHeightPx = 72;
/** The selection bar has two rows here. */
const paddingEndPx = 136;

/** The file list of a narrow screen; renders only the visible rows. */
export function FileList({ table: { rows }, selection, actions }: FileViewProps) {
  const t = useT();
  const view = useRowWindow({ rows, rowHeightPx, headHeightPx: 0, paddingEndPx });
  const onKeyDown = useRowKeys({ rows, view, selection, actions });
  return (
    <div ref={view.box} className="mt-1 min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <FileContextMenu rows={rows} actions={actions} onTick={selection.toggle}>
        <ul
          aria-label={t("files.title")}
          onKeyDown={onKeyDown}
          onFocus={({ target }) => view.onFocus(target.closest<HTMLElement>("[data-fid]")?.dataset.fid)}
        >
          {view.rows.map(({ row, index, gapPx }) => (
            <ListRow
              key={row.fid}
              row={row}
              gapPx={gapPx}
              index={index}
              shown={rows}
              isTabStop={index === view.tabStop}
              isTicked={selection.has(row.fid)}
              isTicking={selection.rows.length > 0}
              onTick={selection.toggle}
              actions={actions}
            />
          ))}
          <li aria-hidden="true" style={{ height: view.endPx }} />
        </ul>
      </FileContextMenu>
    </div>
  );
}

interface ListRowProps {
  readonly row: FileRow;
  readonly gapPx: number;
  /** Its index in the list, from 0. */
  readonly index: number;
  readonly shown: readonly FileRow[];
  readonly isTabStop: boolean;
  readonly isTicked: boolean;
  /** Whether any row is selected: then each has a checkbox in place of its icon. */
  readonly isTicking: boolean;
  readonly onTick: (fid: string) => void;
  readonly actions: FileActions;
}

const ListRow = memo(function ListRow(props: ListRowProps) {
  const { row, gapPx, index, shown, isTabStop, isTicked, isTicking, onTick, actions } = props;
  const t = useT();
  const format = useFormat();
  const { fid, file } = row;
  const name = useTreeName(file.description);
  const people = usePeopleWords(row);
  const isMoving = row.status === "transferring" || row.status === "merging";
  return (
    <li
      aria-posinset={index + 1}
      aria-setsize={shown.length}
      style={{ marginTop: gapPx }}
      className={cx(
        "relative flex h-18 items-center pr-1 after:absolute after:right-0 after:bottom-0 after:h-px after:bg-line",
        isTicking ? "pl-2 after:left-13" : "pl-4 after:left-17",
        isTicked && "bg-row-sel",
      )}
    >
      {isTicking && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is its control
        <label className="flex size-11 shrink-0 items-center justify-center">
          <Checkbox
            aria-label={t("files.select", { name })}
            checked={isTicked}
            onChange={() => onTick(fid)}
          />
        </label>
      )}
      <button
        type="button"
        data-fid={fid}
        tabIndex={isTabStop ? 0 : -1}
        className="flex h-full min-w-0 flex-1 items-center gap-3 text-left outline-offset-[-2px]"
        onClick={() => (isTicking ? onTick(fid) : actions.open(row, shown))}
      >
        {!isTicking && (
          <FileTile file={file.description} isWhole={file.state === "complete"} className="size-10" />
        )}
        <span className="min-w-0 flex-1">
          <MiddleEllipsis text={name} className="font-medium text-body" />
          <span className="flex flex-wrap items-center gap-x-2 text-meta text-text-2">
            {format.size(contentSizeOf(file.description))}
            <span className="max-w-full truncate">{people}</span>
            <FileStatus status={row.status} />
            {file.place === "page" && <Tag>{t("files.thisTab")}</Tag>}
            {file.shared && <Tag tone="accent">{t("fileSharing.shared")}</Tag>}
          </span>
          {isMoving && <FileProgress row={row} className="flex items-center gap-2 text-meta" />}
        </span>
      </button>
      <SaveButton row={row} actions={actions} tabIndex={0} />
      <FileMenu row={row} actions={actions} tabIndex={0} shown={shown} onTick={() => onTick(fid)} />
    </li>
  );
});
