import { useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FolderIcon, SearchIcon } from "../../ui/icons.ts";
import { useBreakpoint } from "../../ui/use-media-query.ts";
import type { ColumnChoice } from "./file-columns.ts";
import { FileList } from "./file-list.tsx";
import { type FileFilter, filterCounts } from "./file-row.ts";
import { FileTable } from "./file-table.tsx";
import { FilesToolbar } from "./files-toolbar.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { StorageMeter } from "./storage-meter.tsx";
import { useFileActions } from "./use-file-actions.ts";
import { useFileRows } from "./use-file-rows.ts";
import { useFileSelection } from "./use-file-selection.ts";
import { useFileTable } from "./use-file-table.ts";

/** The file cache: every file of this browser and its actions. */
export function FilesPage({ hiddenColumns, onHideColumns }: ColumnChoice) {
  const t = useT();
  const isPhone = useBreakpoint() === "phone";
  const all = useFileRows();
  const [query, setQuery] = useState("");
  const [filter, setFilter] = useState<FileFilter>("all");
  // The narrow list has no columns to hide and can be sorted by all of them.
  const table = useFileTable({ rows: all, query, filter, hiddenColumns: isPhone ? [] : hiddenColumns });
  const selection = useFileSelection(all);
  const actions = useFileActions();
  const View = isPhone ? FileList : FileTable;
  const showAll = (): void => {
    setQuery("");
    setFilter("all");
  };
  return (
    <section aria-labelledby="files-title" className="relative flex min-w-0 flex-1 flex-col bg-surface">
      <div className="shrink-0 px-7 pt-5 max-md:px-4 max-md:pt-4">
        <StorageMeter rows={all} />
        <FilesToolbar
          query={query}
          onQuery={setQuery}
          filter={filter}
          onFilter={setFilter}
          counts={filterCounts(all)}
          columns={table.columns}
          hiddenColumns={hiddenColumns}
          onHideColumns={onHideColumns}
        />
      </div>
      {table.rows.length > 0 ? (
        <View table={table} selection={selection} actions={actions} />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto py-6">
          {all.length === 0 ? (
            <EmptyState icon={FolderIcon} title={t("files.empty")}>
              {t("files.emptyLine")}
            </EmptyState>
          ) : (
            <EmptyState
              icon={SearchIcon}
              title={t("common.noResults")}
              action={
                <Button variant="ghost" onClick={showAll}>
                  {t("files.showAll")}
                </Button>
              }
            >
              {query.trim() === "" ? t("files.noneSuch") : t("files.noneCalled", { query: query.trim() })}
            </EmptyState>
          )}
        </div>
      )}
      {selection.rows.length > 0 && <SelectionBar selection={selection} actions={actions} />}
    </section>
  );
}
