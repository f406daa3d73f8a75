import { contentSizeOf, type FileDescription, type FileId } from "@warren/protocol";
import type { ReactNode } from "react";
import { FileTile } from "../files/file-tile.tsx";
import { treeName } from "../files/tree/use-tree-words.ts";
import { useFormat } from "../i18n/format.ts";
import type { Translate } from "../i18n/messages.ts";
import { useT } from "../i18n/use-t.ts";
import { cx } from "../ui/cx.ts";
import { MiddleEllipsis } from "../ui/middle-ellipsis.tsx";
import { useNow } from "../ui/use-now.ts";
import { type SyncDetail, syncDetails } from "./sync-rows.ts";

interface SideCellProps {
  readonly tabIndex: number;
  /** The details that are hidden. */
  readonly hidden: readonly SyncDetail[];
  readonly file: FileDescription | null;
  /** A file of this browser with the same bytes; null if there is none. */
  readonly keptFid: FileId | null;
  /** Shown if there is no file. */
  readonly missing: string;
  /** Replaces the details: "1.11 GiB so far". */
  readonly note?: string | undefined;
  readonly isFailed?: boolean;
  readonly isDimmed?: boolean;
  /** Opens the file; makes its name a button. */
  readonly onOpen?: (() => void) | undefined;
}

/** One side of a row: the file on that side, or the text for a missing one. */
export function SideCell(props: SideCellProps) {
  const {
    tabIndex,
    file,
    keptFid,
    missing,
    hidden,
    note,
    isFailed = false,
    isDimmed = false,
    onOpen,
  } = props;
  const t = useT();
  if (file === null) {
    return (
      <span className="flex min-w-0 items-center gap-3">
        <span className="size-8 shrink-0 rounded-tile border border-line-2" />
        <span className="text-compact text-text-2">{missing}</span>
      </span>
    );
  }
  const fileName = treeName(file, t);
  const name = <MiddleEllipsis text={fileName} className="text-body font-medium" />;
  return (
    <span className="flex min-w-0 items-center gap-3">
      <FileTile
        file={keptFid === null ? file : { ...file, fid: keptFid }}
        isWhole={keptFid !== null}
        isRaised={!isDimmed}
        className="size-8 max-[360px]:hidden"
      />
      <span className="min-w-0 flex-1">
        {onOpen === undefined ? (
          <span className={cx("block", isDimmed && "text-text-2")}>{name}</span>
        ) : (
          <button
            type="button"
            tabIndex={tabIndex}
            aria-label={t("sync.openFile", { file: fileName })}
            className={cx(
              "block max-w-full rounded-kbd text-left hover:underline touch:-my-3 touch:py-3",
              isDimmed && "text-text-2",
            )}
            onClick={onOpen}
          >
            {name}
          </button>
        )}
        <span className={cx("block truncate text-meta", isFailed ? "text-danger" : "text-text-2")}>
          {note ?? <Details file={file} hidden={hidden} />}
        </span>
      </span>
    </span>
  );
}

/** Its size, time and type, unless hidden. */
function Details({
  file,
  hidden,
}: {
  readonly file: FileDescription;
  readonly hidden: readonly SyncDetail[];
}) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const { lastModified } = file;
  const details: Readonly<Record<SyncDetail, ReactNode>> = {
    size: <span>{format.size(contentSizeOf(file))}</span>,
    // An empty folder has no modification time.
    lastModified: lastModified > 0 && (
      <time dateTime={new Date(lastModified).toISOString()}>{format.stamp(lastModified, now)}</time>
    ),
    mimeType: <span>{typeOf(file, t)}</span>,
  };
  return syncDetails
    .filter((detail) => !hidden.includes(detail))
    .map((detail) => (
      <span key={detail} className="mr-2">
        {details[detail]}
      </span>
    ));
}

function typeOf({ mimeType, tree }: FileDescription, t: Translate): string {
  if (tree === undefined) return mimeType || t("files.unknownType");
  const files = t("common.files", { count: tree.files });
  return tree.kind === "folder" ? t("files.folder", { files }) : files;
}
