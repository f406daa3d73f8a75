import { transferKeyOf } from "@warren/core";
import { type ClientId, contentSizeOf } from "@warren/protocol";
import { type ReactNode, useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import type { FileStatus } from "../../file-state/file-state.ts";
import { type Format, useFormat } from "../../i18n/format.ts";
import type { Translate } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf, shownName } from "../../people/shown-name.ts";
import type { Column } from "../../table/columns.ts";
import { Tag } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { useNow } from "../../ui/hooks/use-now.ts";
import {
  CheckIcon,
  ClockIcon,
  CloseIcon,
  type Icon,
  PauseIcon,
  ReceiveIcon,
  WarningIcon,
} from "../../ui/icons.ts";
import { ProgressBar } from "../../ui/progress.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useProfile, useStore, useWarren } from "../../wiring/warren-context.ts";
import { typeText } from "../file-kind.ts";
import { FileTile } from "../file-tile.tsx";
import { treeName } from "../tree/tree-name.ts";
import { TreeNameLine } from "../tree/tree-name-line.tsx";
import { type FileProgress, type FileRow, isComplete, progressOf } from "./file-row.ts";

/** States that need an action come first. */
const statusOrder: Readonly<Record<FileStatus, number>> = {
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

/** What the texts of a row are made of. */
interface RowWords {
  readonly t: Translate;
  readonly format: Format;
  readonly firstNameOf: (id: ClientId) => string;
}

interface FileCell {
  readonly row: FileRow;
  /** Whether its progress has a column of its own. */
  readonly hasProgress?: boolean;
}

/** The columns in order, each with what it is sorted by: the text that its cell shows, or a number. The name is always shown. */
export const fileColumns = [
  {
    id: "name",
    widthPx: 200,
    grows: true,
    Cell: NameCell,
    sortedBy: ({ file }, { t }) => treeName(file.description, t),
  },
  { id: "people", widthPx: 144, Cell: PeopleCell, sortedBy: peopleWords },
  {
    id: "size",
    widthPx: 96,
    Cell: SizeCell,
    descendingFirst: true,
    isRight: true,
    sortedBy: ({ file }) => contentSizeOf(file.description),
  },
  { id: "status", widthPx: 152, Cell: StatusCell, sortedBy: ({ status }) => statusOrder[status] },
  {
    id: "progress",
    widthPx: 128,
    Cell: FileProgressBar,
    descendingFirst: true,
    sortedBy: ({ file }) => file.storedBytes / Math.max(1, file.description.fileSize),
  },
  {
    id: "lastModified",
    widthPx: 148,
    Cell: ModifiedCell,
    descendingFirst: true,
    sortedBy: ({ file }) => file.description.lastModified,
  },
  {
    id: "createdAt",
    widthPx: 148,
    Cell: CreatedCell,
    descendingFirst: true,
    sortedBy: ({ file }) => file.createdAt,
  },
  {
    id: "mimeType",
    widthPx: 180,
    Cell: TypeCell,
    sortedBy: ({ file }, { t }) => typeText(file.description, t),
  },
] as const satisfies readonly (Omit<Column<FileRow>, "head" | "cell" | "compare"> & {
  readonly Cell: (props: FileCell) => ReactNode;
  readonly isRight?: boolean;
  readonly sortedBy: (row: FileRow, words: RowWords) => string | number;
})[];
export type FileColumn = (typeof fileColumns)[number]["id"];

/** A column that can be hidden. */
export type OptionalFileColumn = Exclude<FileColumn, "name">;
export const optionalFileColumns: readonly OptionalFileColumn[] = fileColumns
  .map(({ id }) => id)
  .filter((id) => id !== "name");

/** Hidden by default: few users need the MIME type, two dates say nearly the same, and the status tells the progress. */
export const hiddenAtFirst: readonly OptionalFileColumn[] = ["progress", "lastModified", "mimeType"];

/** Compares rows by a value, which is worked out once for each. */
function comparing(sortedBy: (row: FileRow) => string | number) {
  const values = new WeakMap<FileRow, string | number>();
  const of = (row: FileRow): string | number => {
    const value = values.get(row) ?? sortedBy(row);
    values.set(row, value);
    return value;
  };
  return (a: FileRow, b: FileRow): number => {
    const [one, other] = [of(a), of(b)];
    return typeof one === "number" && typeof other === "number"
      ? one - other
      : names.compare(String(one), String(other));
  };
}

/** Every column with its order, in which rows stand by what their cells show in the current language. */
export function useFileOrders() {
  const t = useT();
  const format = useFormat();
  const { chat } = useWarren();
  const { name: ownName } = useProfile();
  const contacts = useStore(chat.store, (state) => state.contacts);
  return useMemo(() => {
    const nameOf = (id: ClientId) => firstNameOf(shownName(id, contacts, ownName) ?? t("people.someone"));
    const words = { t, format, firstNameOf: nameOf };
    return fileColumns.map(({ sortedBy, ...column }) => ({
      ...column,
      compare: comparing((row) => sortedBy(row, words)),
    }));
  }, [t, format, contacts, ownName]);
}

/** The shown columns with their heads and cells. */
export function useFileColumns(
  hidden: readonly OptionalFileColumn[],
): readonly Column<FileRow, FileColumn>[] {
  const t = useT();
  const orders = useFileOrders();
  return useMemo(
    () =>
      orders
        .filter(({ id }) => id === "name" || !hidden.includes(id))
        .map(({ Cell, ...column }) => {
          const align = "isRight" in column && "pr-6 text-right";
          return {
            ...column,
            head: t(`files.column.${column.id}`),
            headClass: cx("px-2", align),
            cell: (row: FileRow) => <Cell row={row} hasProgress={!hidden.includes("progress")} />,
            cellClass: cx("truncate px-2 text-text-2", align),
          };
        }),
    [t, orders, hidden],
  );
}

/** A file's tags, after its name. */
export function FileTags({ row: { file } }: FileCell) {
  const t = useT();
  return (
    <>
      {file.location === "page" && <Tag>{t("files.thisTab")}</Tag>}
      {file.shared && <Tag tone="accent">{t("fileSharing.shared")}</Tag>}
    </>
  );
}

function NameCell({ row }: FileCell) {
  const { file } = row;
  return (
    <span className="flex items-center gap-3">
      <FileTile file={file.description} isComplete={isComplete(row)} iconSize={16} className="size-8" />
      <TreeNameLine file={file.description} className="font-medium text-body text-text" />
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

function StatusCell({ row, hasProgress = false }: FileCell) {
  return (
    <>
      <FileStatusLabel status={row.status} />
      {!hasProgress && <FileProgressBar row={row} className={progressBelowClass} />}
    </>
  );
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
function peopleWords({ file, people }: FileRow, { t, format, firstNameOf: nameOf }: RowWords): string {
  if (people.length === 0) return "";
  const whom =
    people.length > namedMax ? t("files.people", { count: people.length }) : format.list(people.map(nameOf));
  return t(file.direction === "received" ? "files.from" : "files.to", { name: whom });
}

/** {@link peopleWords}; re-renders only when a name changes. */
export function usePeopleWords(row: FileRow): string {
  const t = useT();
  const format = useFormat();
  const { chat } = useWarren();
  const { name: ownName } = useProfile();
  const someone = t("people.someone");
  const named = useStore(
    chat.store,
    useShallow((state) =>
      row.people.map((id) => firstNameOf(shownName(id, state.contacts, ownName) ?? someone)),
    ),
  );
  return peopleWords(row, {
    t,
    format,
    firstNameOf: (id) => named[row.people.indexOf(id)] ?? someone,
  });
}

const statusStyles: Readonly<Record<FileStatus, { readonly icon: Icon | null; readonly tint: string }>> = {
  "not-started": { icon: ClockIcon, tint: "text-text-2" },
  stopped: { icon: PauseIcon, tint: "text-text-2" },
  transferring: { icon: ReceiveIcon, tint: "text-text" },
  merging: { icon: null, tint: "text-text" },
  complete: { icon: CheckIcon, tint: "text-text-2" },
  incomplete: { icon: WarningIcon, tint: "text-warn" },
  missing: { icon: WarningIcon, tint: "text-warn" },
  offered: { icon: ClockIcon, tint: "text-text-2" },
  declined: { icon: CloseIcon, tint: "text-text-2" },
  cancelled: { icon: CloseIcon, tint: "text-text-2" },
};

/** A file's state as an icon and a word. */
export function FileStatusLabel({ status }: { readonly status: FileStatus }) {
  const t = useT();
  const { icon: Glyph, tint } = statusStyles[status];
  return (
    <span className={cx("inline-flex items-center gap-1.5 align-top whitespace-nowrap", tint)}>
      {Glyph === null ? <Spinner size={14} /> : <Glyph size={14} />}
      {t(`files.status.${status}`)}
    </span>
  );
}

/** A file's progress; re-renders as its bytes move. */
function useFileProgress(row: FileRow): FileProgress | null {
  const { transfers } = useWarren();
  const moving = useStore(
    transfers.store,
    useShallow((state) => row.file.peers.map((peer) => state.get(transferKeyOf(peer, row.fid)))),
  );
  return progressOf(row, moving);
}

/** Below its status. */
export const progressBelowClass = "flex items-center gap-2 text-meta";

/** The progress bar of a file; nothing for a complete file that is not being sent. */
export function FileProgressBar({ row, className }: { readonly row: FileRow; readonly className?: string }) {
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
