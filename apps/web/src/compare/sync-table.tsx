import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useRef } from "react";
import { useT } from "../i18n/use-t.ts";
import { ClientAvatar, OwnAvatar } from "../people/client-avatar.tsx";
import type { Person } from "../people/use-person.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { cx } from "../ui/cx.ts";
import { useBreakpoint, useMediaQuery } from "../ui/use-media-query.ts";
import type { DetailChoice } from "./sync-details.ts";
import type { SyncRow } from "./sync-rows.ts";
import { SyncTableRow } from "./sync-table-row.tsx";
import type { Sync } from "./use-sync.ts";

const rowHeightPx = { mouse: 58, touch: 68 };

interface SyncTableProps extends Pick<DetailChoice, "hiddenDetails"> {
  readonly sync: Sync;
  readonly person: Person;
  /** Why nothing can be done now; undefined when it can. */
  readonly obstacle: string | undefined;
  readonly onOpen: (row: SyncRow) => void;
}

/** Their files beside mine; of a long list what is in sight is drawn. */
export function SyncTable({ sync, person, hiddenDetails, obstacle, onOpen }: SyncTableProps) {
  const t = useT();
  const isNarrow = useBreakpoint() === "phone";
  const isTouch = useMediaQuery("(pointer: coarse), (width < 48rem)");
  const box = useRef<HTMLDivElement>(null);
  const { shown, selected } = sync;
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => (isTouch ? rowHeightPx.touch : rowHeightPx.mouse),
    getItemKey: useCallback((index: number) => shown[index]?.file.fid ?? index, [shown]),
    overscan: 10,
  });
  const items = virtualizer.getVirtualItems();
  // Stand for the rows that are not drawn.
  const margins = {
    marginTop: items[0]?.start ?? 0,
    marginBottom: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
  };
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <table
        aria-label={t("sync.title", { name: person.firstName })}
        aria-rowcount={shown.length + 1}
        style={margins}
        className="w-full table-fixed border-separate border-spacing-0 text-left"
        onKeyDown={moveBetweenRows}
      >
        <colgroup>
          <col className="w-14" />
          <col />
          <col className={isNarrow ? "w-32" : "w-36"} />
          {!isNarrow && <col />}
        </colgroup>
        <Head sync={sync} person={person} isNarrow={isNarrow} isDisabled={obstacle !== undefined} />
        <tbody>
          {items.map(({ index, key }) => {
            const row = shown[index];
            return (
              row && (
                <SyncTableRow
                  key={String(key)}
                  row={row}
                  position={index + 2}
                  name={person.firstName}
                  hiddenDetails={hiddenDetails}
                  isSelected={selected.has(row.file.fid)}
                  obstacle={obstacle}
                  isNarrow={isNarrow}
                  onSelect={(one, isSelected) => sync.select([one], isSelected)}
                  onStart={(one) => sync.start([one])}
                  onStop={sync.stop}
                  onOpen={onOpen}
                />
              )
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  readonly sync: Sync;
  readonly person: Person;
  readonly isNarrow: boolean;
  readonly isDisabled: boolean;
}

function Head({ sync: { shown, selected, select }, person, isNarrow, isDisabled }: HeadProps) {
  const t = useT();
  const selectable = shown.filter(({ action }) => action !== null);
  const chosen = selectable.filter(({ file }) => selected.has(file.fid)).length;
  const checked = chosen === 0 ? false : chosen === selectable.length ? true : "mixed";
  return (
    <thead>
      <tr aria-rowindex={1} className="h-9 text-meta text-text-2">
        <th scope="col" className={cx(headClass, "pl-[22px]")}>
          <Checkbox
            aria-label={t("sync.selectAll")}
            checked={checked}
            disabled={isDisabled || selectable.length === 0}
            onChange={(isSelected) => select(selectable, isSelected)}
          />
        </th>
        <th scope="col" className={headClass}>
          <span className="flex min-w-0 items-center gap-2">
            {!isNarrow && (
              <ClientAvatar clientId={person.id} name={person.name} avatar={person.avatar} size={20} />
            )}
            <span className="truncate">
              {isNarrow ? t("sync.file") : t("sync.theirSide", { name: person.firstName })}
            </span>
          </span>
        </th>
        <th scope="col" className={headClass}>
          <span className="sr-only">{t("sync.verdictColumn")}</span>
        </th>
        {!isNarrow && (
          <th scope="col" className={headClass}>
            <span className="flex min-w-0 items-center gap-2">
              <OwnAvatar size={20} />
              <span className="truncate">{t("sync.mySide")}</span>
            </span>
          </th>
        )}
      </tr>
    </thead>
  );
}

const headClass = "sticky top-0 z-header border-line border-b bg-surface p-0 font-normal";

/** Arrow keys go from a control to the same one of the next row. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !(event.target instanceof HTMLElement)) return;
  const rows = [...event.currentTarget.rows];
  const cell = event.target.closest<HTMLTableCellElement>("td, th");
  const row = cell?.closest("tr");
  if (!cell || !row) return;
  for (let at = rows.indexOf(row) + step; at >= 0 && at < rows.length; at += step) {
    const control = rows[at]?.cells[cell.cellIndex]?.querySelector<HTMLElement>("input:enabled, button");
    if (!control) continue;
    event.preventDefault();
    control.focus();
    return;
  }
}
