import { useMemo } from "react";
import { treeName } from "../files/tree/tree-name.ts";
import { isStored } from "../files/use-is-stored.ts";
import { useT } from "../i18n/use-t.ts";
import { OwnAvatar, PersonAvatar } from "../people/person-avatar.tsx";
import type { Person } from "../people/use-person.ts";
import type { Column } from "../table/columns.ts";
import { DataTable } from "../table/data-table.tsx";
import { useBreakpoint, useMediaQuery } from "../ui/hooks/use-media-query.ts";
import { useStableCallback } from "../ui/hooks/use-stable-callback.ts";
import { type ComparisonDetail, type ComparisonRow, idOfRow, isSelectable } from "./comparison-rows.ts";
import { SideCell } from "./side-cell.tsx";
import type { Comparison } from "./use-comparison.ts";
import { VerdictCell } from "./verdict-cell.tsx";

const rowHeightPx = { mouse: 58, touch: 68 };

interface ComparisonTableProps {
  readonly comparison: Comparison;
  readonly person: Person;
  readonly hidden: readonly ComparisonDetail[];
  /** Why no action is possible now; undefined if one is. */
  readonly obstacle: string | undefined;
  readonly onOpen: (row: ComparisonRow) => void;
}

/** Their files beside mine; on a phone both sides are one column. */
export function ComparisonTable({ comparison, person, hidden, obstacle, onOpen }: ComparisonTableProps) {
  const t = useT();
  const isNarrow = useBreakpoint() === "phone";
  const isTouch = useMediaQuery("(pointer: coarse), (width < 48rem)");
  const open = useStableCallback(onOpen);
  const start = useStableCallback((row: ComparisonRow) => comparison.start([row]));
  const stop = useStableCallback(comparison.stop);
  const { id, name, firstName, avatar } = person;
  const columns = useMemo((): readonly Column<ComparisonRow>[] => {
    const cellOf =
      (side: "both" | "theirs" | "mine"): Column<ComparisonRow>["cell"] =>
      (row, tabIndex) => (
        <SideCell
          row={row}
          side={side}
          tabIndex={tabIndex}
          name={firstName}
          hidden={hidden}
          onOpen={() => open(row)}
        />
      );
    const theirs: Column<ComparisonRow> = {
      id: "theirs",
      head: (
        <span className="flex min-w-0 items-center gap-2">
          {!isNarrow && <PersonAvatar id={id} name={name} avatar={avatar} size={20} />}
          <span className="truncate">
            {isNarrow ? t("compare.file") : t("compare.theirSide", { name: firstName })}
          </span>
        </span>
      ),
      headClass: headWords,
      widthPx: 0,
      grows: true,
      cell: cellOf(isNarrow ? "both" : "theirs"),
      cellClass: "p-0",
    };
    const verdict: Column<ComparisonRow> = {
      id: "verdict",
      head: <span className="sr-only">{t("compare.verdictColumn")}</span>,
      widthPx: isNarrow ? 128 : 144,
      cell: (row, tabIndex) => (
        <VerdictCell
          row={row}
          tabIndex={tabIndex}
          obstacle={obstacle}
          onStart={() => start(row)}
          onStop={() => stop(row)}
        />
      ),
      cellClass: "px-2 max-md:pr-3 max-md:*:justify-end",
    };
    const mine: Column<ComparisonRow> = {
      id: "mine",
      head: (
        <span className="flex min-w-0 items-center gap-2">
          <OwnAvatar size={20} />
          <span className="truncate">{t("compare.mySide")}</span>
        </span>
      ),
      headClass: headWords,
      widthPx: 0,
      grows: true,
      cell: cellOf("mine"),
      cellClass: "p-0 pr-4",
    };
    return isNarrow ? [theirs, verdict] : [theirs, verdict, mine];
  }, [t, isNarrow, hidden, obstacle, id, name, firstName, avatar, open, start, stop]);
  return (
    <DataTable
      label={t("compare.title", { name: firstName })}
      layout={{
        rowHeightPx: isTouch ? rowHeightPx.touch : rowHeightPx.mouse,
        headHeightPx: 36,
        paddingEndPx: 0,
        checkboxPx: 56,
      }}
      rows={comparison.shown}
      idOf={idOfRow}
      columns={columns}
      selection={comparison.selection}
      selectAllLabel={t("compare.selectAll")}
      selectLabel={({ file }) => t("compare.select", { file: treeName(file, t) })}
      isSelectable={isSelectable}
      isSelectionDisabled={obstacle !== undefined}
      onOpen={(row) => {
        if (isStored(row.mine)) onOpen(row);
        else if (row.action !== null && obstacle === undefined) comparison.start([row]);
      }}
    />
  );
}

const headWords = "p-0 font-normal text-meta text-text-2";
