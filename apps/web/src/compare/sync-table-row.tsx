import { type MouseEvent, memo } from "react";
import { treeName } from "../files/tree/use-tree-words.ts";
import { useFormat } from "../i18n/format.ts";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { cx } from "../ui/cx.ts";
import { SideCell } from "./side-cell.tsx";
import type { DetailChoice } from "./sync-details.ts";
import type { SyncRow } from "./sync-rows.ts";
import { VerdictCell } from "./verdict-cell.tsx";

interface SyncTableRowProps extends Pick<DetailChoice, "hiddenDetails"> {
  readonly row: SyncRow;
  /** Its place among all rows, from 1; the head is the first. */
  readonly position: number;
  readonly name: string;
  readonly isSelected: boolean;
  readonly obstacle: string | undefined;
  /** One lane for both sides. */
  readonly isNarrow: boolean;
  readonly onSelect: (row: SyncRow, isSelected: boolean) => void;
  readonly onStart: (row: SyncRow) => void;
  readonly onStop: (row: SyncRow) => void;
  readonly onOpen: (row: SyncRow) => void;
}

/** One file on two sides. A double press opens what is here and fetches what is not. */
export const SyncTableRow = memo(function SyncTableRow(props: SyncTableRowProps) {
  const { row, position, name, hiddenDetails, isSelected, obstacle, isNarrow } = props;
  const { onSelect, onStart, onStop, onOpen } = props;
  const t = useT();
  const notes = useNotes(row);
  const isHere = row.mine?.state === "complete";
  const isSame = row.verdict === "same";
  const keptFid = isHere ? row.mine.description.fid : null;
  const open = isHere ? () => onOpen(row) : undefined;
  const onDoubleClick = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest("button, input, label")) return;
    if (isHere) onOpen(row);
    else if (row.action !== null && obstacle === undefined) onStart(row);
  };
  const mine = (
    <SideCell
      file={row.mine?.description ?? null}
      keptFid={keptFid}
      hiddenDetails={hiddenDetails}
      missing={t("sync.notHere")}
      note={notes.mine}
      isDimmed={isSame}
      onOpen={open}
    />
  );
  return (
    <tr
      aria-rowindex={position}
      className={cx("h-[58px] touch:h-17", isSelected && "bg-row-sel")}
      onDoubleClick={onDoubleClick}
    >
      <td className={cx(cellClass, "pl-3")}>
        {row.action !== null && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is its control
          <label className="flex size-11 items-center justify-center">
            <Checkbox
              aria-label={t("sync.select", { file: treeName(row.file, t) })}
              checked={isSelected}
              disabled={obstacle !== undefined}
              onChange={(checked) => onSelect(row, checked)}
            />
          </label>
        )}
      </td>
      <td className={cellClass}>
        {isNarrow && row.theirs === null ? (
          mine
        ) : (
          <SideCell
            file={row.theirs}
            keptFid={isSame ? keptFid : null}
            hiddenDetails={hiddenDetails}
            missing={t("sync.notTheirs", { name })}
            note={notes.theirs ?? (isNarrow ? notes.mine : undefined)}
            isFailed={row.progress?.kind === "failed"}
            isDimmed={isSame}
            onOpen={isNarrow ? open : undefined}
          />
        )}
      </td>
      <td className={cx(cellClass, "px-2 max-md:pr-3 max-md:*:justify-end")}>
        <VerdictCell row={row} obstacle={obstacle} onStart={() => onStart(row)} onStop={() => onStop(row)} />
      </td>
      {!isNarrow && <td className={cx(cellClass, "pr-4")}>{mine}</td>}
    </tr>
  );
});

const cellClass = "border-line border-b p-0 align-middle";

/** What stands under a name in place of size and time, while something happens to the file. */
function useNotes({ progress, mine, file }: SyncRow): { readonly theirs?: string; readonly mine?: string } {
  const t = useT();
  const format = useFormat();
  switch (progress?.kind) {
    case "failed":
      return { theirs: errorText(progress.error) };
    case "moving": {
      const size = format.size(progress.share * file.fileSize);
      return progress.mode === "receive"
        ? { mine: t("sync.fetching", { size }) }
        : { mine: t("sync.sending", { size }) };
    }
    case "stopped":
      return mine ? { mine: t("sync.stopped", { size: format.size(progress.share * file.fileSize) }) } : {};
    default:
      return {};
  }
}
