import { contentSizeOf, type FileId } from "@warren/protocol";
import { type MouseEvent, memo, type ReactNode } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Tag } from "../../ui/badge.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { cx } from "../../ui/cx.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import { useNow } from "../../ui/use-now.ts";
import { FileTile } from "../file-tile.tsx";
import { treeName, useTreeName } from "../tree/use-tree-words.ts";
import { type FileColumn, fileColumns } from "./file-columns.ts";
import { FileMenu, SaveButton } from "./file-menu.tsx";
import { FileProgress } from "./file-progress.tsx";
import type { FileRow } from "./file-row.ts";
import { FileStatus } from "./file-status.tsx";
import type { FileActions } from "./use-file-actions.ts";
import { usePeopleWords } from "./use-people-words.ts";

interface FileTableRowProps {
  readonly row: FileRow;
  /** Its index among all rows, from 0. */
  readonly index: number;
  /** The visible columns as one string, so that the row re-renders only when they change. */
  readonly columnIds: string;
  /** The list that its preview pages through. */
  readonly shown: readonly FileRow[];
  readonly isTabStop: boolean;
  readonly isTicked: boolean;
  readonly onTick: (fid: FileId, isRange: boolean) => void;
  readonly actions: FileActions;
}

/** One file in the table. */
export const FileTableRow = memo(function FileTableRow(props: FileTableRowProps) {
  const { row, index, columnIds, shown, isTabStop, isTicked, onTick, actions } = props;
  const t = useT();
  const { fid } = row;
  const columns = columnIds.split(" ");
  const tabIndex = isTabStop ? 0 : -1;
  const press = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest("button, input") !== null) return;
    if (event.shiftKey || event.ctrlKey || event.metaKey) onTick(fid, event.shiftKey);
  };
  return (
    <tr
      data-fid={fid}
      tabIndex={tabIndex}
      aria-rowindex={index + 2}
      aria-selected={isTicked}
      className={cx(
        "group/row h-12 outline-offset-[-2px] *:border-line *:border-b",
        isTicked ? "bg-row-sel" : "bg-surface hover:bg-hover",
      )}
      onClick={press}
      onDoubleClick={(event) => {
        if (event.target instanceof Element && event.target.closest("button, input") === null)
          actions.open(row, shown);
      }}
    >
      <td className="pl-3">
        <Checkbox
          aria-label={t("files.select", { name: treeName(row.file.description, t) })}
          tabIndex={tabIndex}
          checked={isTicked}
          onChange={() => onTick(fid, false)}
        />
      </td>
      {fileColumns.map((column) => {
        const Cell = cells[column];
        return (
          columns.includes(column) && (
            <td key={column} className={cx("truncate px-2 text-text-2", column === "size" && "text-right")}>
              <Cell row={row} />
            </td>
          )
        );
      })}
      {/* Stays in sight where the table is wider than the window. */}
      <td className="sticky right-0 bg-inherit px-3">
        <span className="flex justify-end">
          <SaveButton row={row} actions={actions} tabIndex={tabIndex} />
          <FileMenu row={row} actions={actions} tabIndex={tabIndex} shown={shown} />
        </span>
      </td>
    </tr>
  );
});

const cells: Readonly<Record<FileColumn, (props: { readonly row: FileRow }) => ReactNode>> = {
  name: NameCell,
  people: PeopleCell,
  size: SizeCell,
  status: ({ row }) => <FileStatus status={row.status} />,
  progress: FileProgress,
  lastModified: ({ row }) => <Moment at={row.file.description.lastModified} />,
  createdAt: ({ row }) => <Moment at={row.file.createdAt} />,
  mimeType: TypeCell,
};

function NameCell({ row: { file } }: { readonly row: FileRow }) {
  const t = useT();
  const name = useTreeName(file.description);
  return (
    <span className="flex items-center gap-3">
      <FileTile
        file={file.description}
        isWhole={file.state === "complete"}
        iconSize={16}
        className="size-8"
      />
      <MiddleEllipsis text={name} className="font-medium text-body text-text" />
      {file.place === "page" && <Tag>{t("files.thisTab")}</Tag>}
      {file.shared && <Tag tone="accent">{t("fileSharing.shared")}</Tag>}
    </span>
  );
}

function PeopleCell({ row }: { readonly row: FileRow }) {
  const words = usePeopleWords(row);
  return <span title={words}>{words}</span>;
}

function SizeCell({ row }: { readonly row: FileRow }) {
  const format = useFormat();
  return <span className="tabular-nums">{format.size(contentSizeOf(row.file.description))}</span>;
}

function Moment({ at }: { readonly at: number }) {
  const format = useFormat();
  const now = useNow();
  const t = useT();
  // An empty folder has no modification time.
  if (at === 0) return <span>{t("files.unknownTime")}</span>;
  return <time dateTime={new Date(at).toISOString()}>{format.moment(at, now)}</time>;
}

function TypeCell({ row }: { readonly row: FileRow }) {
  const t = useT();
  const { mimeType, tree } = row.file.description;
  if (tree?.kind === "files") return treeName(row.file.description, t);
  if (tree !== undefined) return t("files.folder", { files: t("common.files", { count: tree.files }) });
  return <span title={mimeType}>{mimeType === "" ? t("files.unknownType") : mimeType}</span>;
}
