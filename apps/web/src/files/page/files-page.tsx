import { matchesSearch } from "@warren/core";
import { useMemo, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { useSorted } from "../../table/columns.ts";
import { useColumnVisibility } from "../../table/use-column-visibility.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";
import { useSelection } from "../../ui/hooks/use-selection.ts";
import { FolderIcon, SearchIcon } from "../../ui/icons.ts";
import { treeName } from "../tree/tree-name.ts";
import {
  hiddenAtFirst,
  type OptionalFileColumn,
  optionalFileColumns,
  useFileOrders,
} from "./file-columns.tsx";
import {
  emptyColumns,
  type FileFilter,
  filterCounts,
  idOfFile,
  passesFilter,
  useFileRows,
} from "./file-row.ts";
import { FileTable } from "./file-table.tsx";
import { FilesToolbar, SendFilesButton } from "./files-toolbar.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { StorageMeter } from "./storage-meter.tsx";
import { useFileRowActions } from "./use-file-row-actions.ts";

/** Narrow screens start with fewer columns. */
const hiddenIfNarrow: readonly OptionalFileColumn[] = [...hiddenAtFirst, "createdAt"];

/** The file cache: every file of this browser and its actions. */
export default function FilesPage() {
  const t = useT();
  const breakpoint = useBreakpoint();
  const isPhone = breakpoint === "phone";
  const byDefault = breakpoint === "desktop" ? hiddenAtFirst : hiddenIfNarrow;
  const columns = useColumnVisibility("hidden_file_columns", optionalFileColumns, byDefault);
  const all = useFileRows();
  const [query, setQuery] = useState("");
  const [filter, setFilter] = useState<FileFilter>("all");
  const found = useMemo(
    () =>
      all.filter(
        (row) => passesFilter(row, filter) && matchesSearch(treeName(row.file.description, t), query),
      ),
    [t, all, query, filter],
  );
  const [rows, sorting] = useSorted(found, useFileOrders(), { by: "createdAt", isDescending: true });
  const selection = useSelection(all, idOfFile);
  const actions = useFileRowActions();
  const showAll = (): void => {
    setQuery("");
    setFilter("all");
  };
  return (
    <section aria-labelledby="files-title" className="relative flex min-w-0 flex-1 flex-col bg-surface">
      <div className="shrink-0 px-7 pt-5 max-md:px-4 max-md:pt-4">
        <StorageMeter rows={all} />
        {all.length > 0 && (
          <FilesToolbar
            query={query}
            onQuery={setQuery}
            filter={filter}
            onFilter={setFilter}
            counts={filterCounts(all)}
            sorting={sorting}
            {...columns}
          />
        )}
      </div>
      {rows.length > 0 ? (
        <FileTable
          rows={rows}
          sorting={sorting}
          selection={selection}
          actions={actions}
          hidden={[...columns.hidden, ...emptyColumns(all)]}
          isNarrow={isPhone}
        />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto py-6">
          {all.length === 0 ? (
            <EmptyState icon={FolderIcon} title={t("files.empty")} action={<SendFilesButton />}>
              {t("files.emptyLine")}
            </EmptyState>
          ) : (
            <EmptyState
              icon={SearchIcon}
              title={
                query.trim() === "" ? t("files.noneSuch") : t("files.noneCalled", { query: query.trim() })
              }
              action={
                <Button variant="ghost" onClick={showAll}>
                  {t("files.showAll")}
                </Button>
              }
            />
          )}
        </div>
      )}
      {selection.items.length > 0 && <SelectionBar selection={selection} actions={actions} />}
    </section>
  );
}
