import { contentSizeOf, type FileDescription } from "@warren/protocol";
import type { ReactNode } from "react";
import { typeText } from "../files/file-kind.ts";
import { FileTile } from "../files/file-tile.tsx";
import { treeName } from "../files/tree/tree-name.ts";
import { isStored } from "../files/use-is-stored.ts";
import { useFormat } from "../i18n/format.ts";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { cx } from "../ui/cx.ts";
import { useNow } from "../ui/hooks/use-now.ts";
import { MiddleEllipsis } from "../ui/text/middle-ellipsis.tsx";
import { type ComparisonDetail, type ComparisonRow, comparisonDetails } from "./comparison-rows.ts";

interface SideCellProps {
  readonly row: ComparisonRow;
  /** `both`: theirs, or mine if they have none. */
  readonly side: "theirs" | "mine" | "both";
  readonly tabIndex: number;
  /** The peer's name. */
  readonly name: string;
  /** The details that are hidden. */
  readonly hidden: readonly ComparisonDetail[];
  readonly onOpen: () => void;
}

/** One side of a row: the file on that side, or the text for a missing one. */
export function SideCell(props: SideCellProps) {
  const { row, side, name } = props;
  const isMine = side === "mine" || (side === "both" && row.theirs === null);
  const file = isMine ? row.mine?.description : row.theirs;
  return file ? <FileCell {...props} file={file} isMine={isMine} /> : <NoFile isMine={isMine} name={name} />;
}

function NoFile({ isMine, name }: { readonly isMine: boolean; readonly name: string }) {
  const t = useT();
  return (
    <span className="flex min-w-0 items-center gap-3">
      <span className="size-8 shrink-0 rounded-tile border border-line-2" />
      <span className="text-compact text-text-2">
        {isMine ? t("compare.notHere") : t("compare.notTheirs", { name })}
      </span>
    </span>
  );
}

interface FileCellProps extends Omit<SideCellProps, "name"> {
  readonly file: FileDescription;
  /** Whether it is my file. */
  readonly isMine: boolean;
}

function FileCell({ row, side, file, isMine, tabIndex, hidden, onOpen }: FileCellProps) {
  const t = useT();
  const notes = useNotes(row);
  const { mine, verdict, progress } = row;
  const isSame = verdict === "same";
  const storedFid = mine && isStored(mine) ? mine.description.fid : null;
  // A file of theirs is in this browser only if both sides have the same.
  const tileFid = isMine || isSame ? storedFid : null;
  const canOpen = storedFid !== null && (isMine || side === "both");
  const note = isMine ? notes.mine : (notes.theirs ?? (side === "both" ? notes.mine : undefined));
  const isFailed = !isMine && progress?.kind === "failed";
  return (
    <span className="flex min-w-0 items-center gap-3">
      <FileTile
        file={tileFid === null ? file : { ...file, fid: tileFid }}
        isComplete={tileFid !== null}
        isRaised={!isSame}
        className="size-8 max-[360px]:hidden"
      />
      <span className="min-w-0 flex-1">
        <FileName
          name={treeName(file, t)}
          isQuiet={isSame}
          tabIndex={tabIndex}
          onOpen={canOpen ? onOpen : null}
        />
        <span className={cx("block truncate text-meta", isFailed ? "text-danger" : "text-text-2")}>
          {note ?? <Details file={file} hidden={hidden} />}
        </span>
      </span>
    </span>
  );
}

interface FileNameProps {
  readonly name: string;
  readonly isQuiet: boolean;
  readonly tabIndex: number;
  /** Null if it cannot be opened. */
  readonly onOpen: (() => void) | null;
}

function FileName({ name, isQuiet, tabIndex, onOpen }: FileNameProps) {
  const t = useT();
  const label = <MiddleEllipsis text={name} className="text-body font-medium" />;
  const tone = isQuiet && "text-text-2";
  if (onOpen === null) return <span className={cx("block", tone)}>{label}</span>;
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={t("compare.openFile", { file: name })}
      className={cx("block max-w-full rounded-kbd text-left hover:underline touch:-my-3 touch:py-3", tone)}
      onClick={onOpen}
    >
      {label}
    </button>
  );
}

/** The text shown instead of the details while a file moves: "1.11 GB so far". */
function useNotes({ progress, mine, file }: ComparisonRow): {
  readonly theirs?: string;
  readonly mine?: string;
} {
  const t = useT();
  const format = useFormat();
  switch (progress?.kind) {
    case "failed":
      return { theirs: errorText(progress.error) };
    case "moving": {
      const size = format.size(progress.fraction * file.fileSize);
      return progress.mode === "receive"
        ? { mine: t("compare.fetching", { size }) }
        : { mine: t("compare.sending", { size }) };
    }
    case "stopped":
      return mine
        ? { mine: t("compare.stopped", { size: format.size(progress.fraction * file.fileSize) }) }
        : {};
    default:
      return {};
  }
}

/** Its size, time and type, unless hidden. */
function Details({
  file,
  hidden,
}: {
  readonly file: FileDescription;
  readonly hidden: readonly ComparisonDetail[];
}) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const { lastModified } = file;
  const details: Readonly<Record<ComparisonDetail, ReactNode>> = {
    size: <span>{format.size(contentSizeOf(file))}</span>,
    // An empty folder has no modification time.
    lastModified: lastModified > 0 && (
      <time dateTime={new Date(lastModified).toISOString()}>{format.stamp(lastModified, now)}</time>
    ),
    mimeType: <span>{typeText(file, t)}</span>,
  };
  return comparisonDetails
    .filter((detail) => !hidden.includes(detail))
    .map((detail) => (
      <span key={detail} className="mr-2">
        {details[detail]}
      </span>
    ));
}
