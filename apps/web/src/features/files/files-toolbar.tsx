import { useBreakpoint } from "../../hooks/use-media-query.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { Menu, MenuCheck } from "../../ui/menu.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { ColumnsIcon } from "./columns-icon.ts";
import { type ColumnChoice, optionalFileColumns } from "./file-columns.ts";
import type { FileFilter } from "./file-row.ts";
import { SendFilesButton } from "./send-files-button.tsx";

const filters: readonly FileFilter[] = ["all", "complete", "part-way", "waiting"];

interface FilesToolbarProps extends ColumnChoice {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly filter: FileFilter;
  readonly onFilter: (filter: FileFilter) => void;
  readonly counts: Readonly<Record<FileFilter, number>>;
}

/** Search, the states to show, and the columns. */
export function FilesToolbar({ query, onQuery, filter, onFilter, counts, ...columns }: FilesToolbarProps) {
  const t = useT();
  const isPhone = useBreakpoint() === "phone";
  return (
    <div className="mt-4 flex items-center gap-2 max-lg:flex-wrap">
      <SearchField
        label={t("files.search")}
        clearLabel={t("common.clearSearch")}
        value={query}
        onChange={onQuery}
        className="w-70 shrink max-md:w-0 max-md:flex-1"
      />
      <div className="min-w-0 max-lg:order-2 max-lg:w-full">
        <FilterChips
          label={t("files.filter")}
          value={filter}
          chips={filters.map((value) => ({
            value,
            label: t(`files.filters.${value}`),
            count: counts[value],
          }))}
          onChange={onFilter}
        />
      </div>
      <div className="ml-auto flex gap-2 max-lg:order-1 max-md:ml-0">
        {!isPhone && <ColumnsMenu {...columns} />}
        <SendFilesButton />
      </div>
    </div>
  );
}

function ColumnsMenu({ hiddenColumns, onHideColumns }: ColumnChoice) {
  const t = useT();
  return (
    <Menu trigger={<Button icon={ColumnsIcon}>{t("files.columns")}</Button>}>
      {optionalFileColumns.map((column) => (
        <MenuCheck
          key={column}
          checked={!hiddenColumns.includes(column)}
          onChange={(isShown) => {
            const others = hiddenColumns.filter((hidden) => hidden !== column);
            onHideColumns(isShown ? others : [...others, column]);
          }}
        >
          {t(`files.column.${column}`)}
        </MenuCheck>
      ))}
    </Menu>
  );
}
