import { transferKeyOf } from "@warren/core";
import { contentSizeOf } from "@warren/protocol";
import { type ReactNode, useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import type { FileStatus as Status } from "../../file-state/file-state.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf, shownName } from "../../people/shown-name.ts";
import { Tag } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import type { Column } from "../../ui/data-table.tsx";
import {
  CheckIcon,
  ClockIcon,
  CloseIcon,
  type Icon,
  PauseIcon,
  ReceiveIcon,
  WarningIcon,
} from "../../ui/icons.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import { ProgressBar } from "../../ui/progress.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useProfile, useStore, useWarren } from "../../ui/warren-context.tsx";
import { typeText } from "../file-kind.ts";
import { FileTile } from "../file-tile.tsx";
import { treeName, useTreeName } from "../tree/tree-name.ts";
import { type FileRow, isWhole, type FileProgress as Progress, progressOf } from "./file-row.ts";

/** States that need an action come first. */
const statusOrder: Readonly<Record<Status, number>> = {
  transferring: 0,
  merging: 1,
  "not-started": 2,
  stopped: 3,
  incomplete: 4,
  missing: 5,
  offered: 6,
  complete: 7,
  declined: 8,
  cancelled: 9,
};

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function byText(textOf: (row: FileRow) => string) {
  return { compare: (a: FileRow, b: FileRow) => names.compare(textOf(a), textOf(b)) };
}

function byNumber(numberOf: (row: FileRow) => number) {
  return { compare: (a: FileRow, b: FileRow) => numberOf(a) - numberOf(b) };
}

interface FileCell {
  readonly row: FileRow;
}

/** The columns in order. The name is always shown. */
export const fileColumns = [
  { id: "name", widthPx: 200, grows: true, Cell: NameCell, ...byText(nameOf) },
  {
    id: "people",
    widthPx: 144,
    Cell: PeopleCell,
    ...byText(({ file, people }) => `${file.direction} ${people.join(" ")}`),
  },
  {
    id: "size",
    widthPx: 96,
    Cell: SizeCell,
    descendingFirst: true,
    isRight: true,
    ...byNumber(({ file }) => contentSizeOf(file.description)),
  },
  { id: "status", widthPx: 128, Cell: StatusCell, ...byNumber(({ status }) => statusOrder[status]) },
  {
    id: "progress",
    widthPx: 128,
    Cell: FileProgress,
    descendingFirst: true,
    ...byNumber(({ file }) => file.storedBytes / Math.max(1, file.description.fileSize)),
  },
  {
    id: "lastModified",
    widthPx: 148,
    Cell: ModifiedCell,
    descendingFirst: true,
    ...byNumber(({ file }) => file.description.lastModified),
  },
  {
    id: "createdAt",
    widthPx: 148,
    Cell: CreatedCell,
    descendingFirst: true,
    ...byNumber(({ file }) => file.createdAt),
  },
  { id: "mimeType", widthPx: 180, Cell: TypeCell, ...byText(({ file }) => file.description.mimeType) },
] as const satisfies readonly (Omit<Column<FileRow>, "head" | "cell"> & {
  readonly Cell: (props: FileCell) => ReactNode;
  readonly isRight?: boolean;
})[];
export type FileColumn = (typeof fileColumns)[number]["id"];

/** A column that can be hidden. */
export type OptionalFileColumn = Exclude<FileColumn, "name">;
export const optionalFileColumns: readonly OptionalFileColumn[] = fileColumns
  .map(({ id }) => id)
  .filter((id) => id !== "name");

/** Hidden by default: few users need the MIME type. */
export const hiddenAtFirst: readonly OptionalFileColumn[] = ["mimeType"];

/** The shown columns with their heads and cells. */
export function useFileColumns(
  hidden: readonly OptionalFileColumn[],
): readonly Column<FileRow, FileColumn>[] {
  const t = useT();
  return useMemo(
    () =>
      fileColumns
        .filter(({ id }) => id === "name" || !hidden.includes(id))
        .map(({ Cell, ...column }) => {
          const align = "isRight" in column && "pr-6 text-right";
          return {
            ...column,
            head: t(`files.column.${column.id}`),
            headClass: cx("px-2", align),
            cell: (row: FileRow) => <Cell row={row} />,
            cellClass: cx("truncate px-2 text-text-2", align),
          };
        }),
    [t, hidden],
  );
}

function nameOf({ file }: FileRow): string {
  return file.description.fileName;
}

/** A file's tags, after its name. */
export function FileTags({ row: { file } }: FileCell) {
  const t = useT();
  return (
    <>
      {file.place === "page" && <Tag>{t("files.thisTab")}</Tag>}
      {file.shared && <Tag tone="accent">{t("fileSharing.shared")}</Tag>}
    </>
  );
}

function NameCell({ row }: FileCell) {
  const { file } = row;
  const name = useTreeName(file.description);
  return (
    <span className="flex items-center gap-3">
      <FileTile file={file.description} isWhole={isWhole(row)} iconSize={16} className="size-8" />
      <MiddleEllipsis text={name} className="font-medium text-body text-text" />
      <FileTags row={row} />
    </span>
  );
}

function PeopleCell({ row }: FileCell) {
  const words = usePeopleWords(row);
  return <span title={words}>{words}</span>;
}

function SizeCell({ row }: FileCell) {
  const format = useFormat();
  return <span className="tabular-nums">{format.size(contentSizeOf(row.file.description))}</span>;
}

function StatusCell({ row }: FileCell) {
  return <FileStatus status={row.status} />;
}

function ModifiedCell({ row }: FileCell) {
  return <Moment at={row.file.description.lastModified} />;
}

function CreatedCell({ row }: FileCell) {
  return <Moment at={row.file.createdAt} />;
}

function Moment({ at }: { readonly at: number }) {
  const format = useFormat();
  const now = useNow();
  const t = useT();
  // An empty folder has no modification time.
  if (at === 0) return <span>{t("files.unknownTime")}</span>;
  return <time dateTime={new Date(at).toISOString()}>{format.moment(at, now)}</time>;
}

function TypeCell({ row }: FileCell) {
  const t = useT();
  const { description } = row.file;
  const words = typeText(description, t);
  return description.tree === undefined ? <span title={description.mimeType}>{words}</span> : words;
}

/** Maximum number of names in a cell. */
const namedMax = 2;

/** "From Mara", "To Mara and Noor", "To 5 people"; empty for my file that was offered to nobody. */
export function usePeopleWords({ file, people }: FileRow): string {
  const t = useT();
  const format = useFormat();
  const { chat } = useWarren();
  const { name: ownName } = useProfile();
  const someone = t("people.someone");
  const names = useStore(
    chat.store,
    useShallow((state) => people.map((id) => firstNameOf(shownName(id, state.contacts, ownName) ?? someone))),
  );
  if (names.length === 0) return "";
  const whom = names.length > namedMax ? t("files.people", { count: names.length }) : format.list(names);
  return t(file.direction === "received" ? "files.from" : "files.to", { name: whom });
}

const looks: Readonly<Record<Status, { readonly icon: Icon | null; readonly tint: string }>> = {
  "not-started": { icon: ClockIcon, tint: "text-text-2" },
  stopped: { icon: PauseIcon, tint: "text-text-2" },
  transferring: { icon: ReceiveIcon, tint: "text-text" },
  merging: { icon: null, tint: "text-text" },
  complete: { icon: CheckIcon, tint: "text-accent-text" },
  incomplete: { icon: WarningIcon, tint: "text-warn" },
  missing: { icon: WarningIcon, tint: "text-warn" },
  offered: { icon: ClockIcon, tint: "text-text-2" },
  declined: { icon: CloseIcon, tint: "text-text-2" },
  cancelled: { icon: CloseIcon, tint: "text-text-2" },
};

/** A file's state as an icon and a word. */
export function FileStatus({ status }: { readonly status: Status }) {
  const t = useT();
  const { icon: Glyph, tint } = looks[status];
  return (
    <span className={cx("inline-flex items-center gap-1.5 align-top whitespace-nowrap", tint)}>
      {Glyph === null ? <Spinner size={14} /> : <Glyph size={14} />}
      {t(`files.status.${status}`)}
    </span>
  );
}

/** A file's progress; re-renders as its bytes move. */
function useFileProgress(row: FileRow): Progress | null {
  const { transfers } = useWarren();
  const moving = useStore(
    transfers.store,
    useShallow((state) => row.file.peers.map((peer) => state[transferKeyOf(peer, row.fid)])),
  );
  return progressOf(row, moving);
}

/** The progress bar of a file; nothing for a complete file that is not being sent. */
export function FileProgress({ row, className }: { readonly row: FileRow; readonly className?: string }) {
  const t = useT();
  const format = useFormat();
  const progress = useFileProgress(row);
  if (progress === null) return null;
  const { fraction, isMoving } = progress;
  const percent = format.percent(fraction);
  return (
    <span className={className ?? "flex items-center gap-2.5"}>
      <ProgressBar
        value={fraction}
        tone={isMoving ? "accent" : "off"}
        label={t("file.progressLabel", { name: treeName(row.file.description, t) })}
        valueText={percent}
        className="min-w-0 flex-1"
      />
      <span aria-hidden="true" className="w-9 text-right tabular-nums">
        {percent}
      </span>
    </span>
  );
}
