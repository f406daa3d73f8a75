import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ColumnsIcon, SortIcon } from "../../ui/icons.ts";
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { useBreakpoint } from "../../ui/use-media-query.ts";
import { type ColumnChoice, optionalFileColumns } from "./file-columns.ts";
import type { FileFilter } from "./file-row.ts";
import { SendFilesButton } from "./send-files-button.tsx";
import type { SortableColumn } from "./use-file-table.ts";

const filters: readonly FileFilter[] = ["all", "complete", "part-way", "waiting", "not-sent"];

interface FilesToolbarProps extends ColumnChoice {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly filter: FileFilter;
  readonly onFilter: (filter: FileFilter) => void;
  readonly counts: Readonly<Record<FileFilter, number>>;
  readonly columns: readonly SortableColumn[];
}

/** Search, filter, and columns; also the sort order if there are no column headers. */
export function FilesToolbar(props: FilesToolbarProps) {
  const { query, onQuery, filter, onFilter, counts, columns, ...choice } = props;
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
      <div className="flex min-w-0 items-center justify-between gap-1 max-lg:order-2 max-lg:w-full max-md:-mr-2.5">
        <FilterChips
          label={t("files.filter")}
          value={filter}
          chips={filters
            .filter((value) => value !== "not-sent" || counts[value] > 0 || filter === value)
            .map((value) => ({
              value,
              label: t(`files.filters.${value}`),
              count: counts[value],
            }))}
          onChange={onFilter}
        />
        {isPhone && <OrderMenu columns={columns} />}
      </div>
      <div className="ml-auto flex gap-2 max-lg:order-1 max-md:ml-0">
        {!isPhone && <ColumnsMenu {...choice} />}
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

function OrderMenu({ columns }: Pick<FilesToolbarProps, "columns">) {
  const t = useT();
  const current = columns.find(({ sorted }) => sorted !== false);
  const label = t("fileOrder.sorted", { column: t(`files.column.${current?.id ?? "createdAt"}`) });
  return (
    <Menu trigger={<IconButton icon={SortIcon} label={label} />}>
      <MenuChoice
        label={t("fileOrder.by")}
        value={current?.id ?? "createdAt"}
        options={columns.map(({ id }) => ({ value: id, label: t(`files.column.${id}`) }))}
        onChange={(chosen) => {
          if (chosen !== current?.id) columns.find(({ id }) => id === chosen)?.sort();
        }}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => current?.sort()}>{t("fileOrder.reverse")}</MenuItem>
    </Menu>
  );
}
