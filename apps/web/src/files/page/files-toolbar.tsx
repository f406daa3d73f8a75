import { useT } from "../../i18n/use-t.ts";
import { ColumnVisibilityItems } from "../../table/column-visibility-items.tsx";
import type { Sorting } from "../../table/columns.ts";
import type { ColumnVisibility } from "../../table/use-column-visibility.ts";
import { Button } from "../../ui/button.tsx";
import { FilterChips } from "../../ui/fields/filter-chips.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { AddIcon, ColumnsIcon, SortIcon } from "../../ui/icons.ts";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "../../ui/overlays/menu.tsx";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { forward } from "../forward/forward.ts";
import {
  type FileColumn,
  fileColumns,
  type OptionalFileColumn,
  optionalFileColumns,
} from "./file-columns.tsx";
import type { FileFilter } from "./file-row.ts";

const filters: readonly FileFilter[] = ["all", "complete", "incomplete", "waiting", "not-sent"];

interface FilesToolbarProps extends ColumnVisibility<OptionalFileColumn> {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly filter: FileFilter;
  readonly onFilter: (filter: FileFilter) => void;
  readonly counts: Readonly<Record<FileFilter, number>>;
  readonly sorting: Sorting<FileColumn>;
}

/** Search, filter, and columns; also the sort order if there are no column headers. */
export function FilesToolbar(props: FilesToolbarProps) {
  const { query, onQuery, filter, onFilter, counts, sorting, ...choice } = props;
  const t = useT();
  const isPhone = useBreakpoint() === "phone";
  const isNarrowing = (value: FileFilter): boolean => counts[value] > 0 && counts[value] < counts.all;
  // One that keeps every file says what All says.
  const shown = filters.filter((value) => value === "all" || isNarrowing(value) || filter === value);
  return (
    <div className="mt-4 flex items-center gap-2 max-lg:flex-wrap">
      <SearchField
        label={t("files.search")}
        value={query}
        onChange={onQuery}
        className="w-70 shrink max-md:w-0 max-md:flex-1"
      />
      <div className="flex min-w-0 items-start justify-between gap-1 max-lg:order-2 max-lg:w-full max-md:-mr-2.5">
        {shown.length > 1 ? (
          <FilterChips
            label={t("files.filter")}
            value={filter}
            chips={shown.map((value) => ({
              value,
              label: t(`files.filters.${value}`),
              count: counts[value],
            }))}
            onChange={onFilter}
          />
        ) : (
          // A choice of one is none.
          <p className="flex h-8 items-center px-1 text-compact text-text-2 touch:h-11">
            {t("common.files", { count: counts.all })}
          </p>
        )}
        {isPhone && <OrderMenu sorting={sorting} />}
      </div>
      <div className="ml-auto flex gap-2 max-lg:order-1 max-md:ml-0">
        {!isPhone && <ColumnsMenu {...choice} />}
        <SendFilesButton />
      </div>
    </div>
  );
}

function ColumnsMenu(choice: ColumnVisibility<OptionalFileColumn>) {
  const t = useT();
  return (
    <Menu trigger={<Button icon={ColumnsIcon}>{t("files.columns")}</Button>}>
      <ColumnVisibilityItems
        {...choice}
        all={optionalFileColumns}
        labelOf={(id) => t(`files.column.${id}`)}
      />
    </Menu>
  );
}

function OrderMenu({ sorting: { by, sortBy } }: Pick<FilesToolbarProps, "sorting">) {
  const t = useT();
  const label = t("fileOrder.sorted", { column: t(`files.column.${by}`) });
  return (
    <Menu trigger={<IconButton icon={SortIcon} label={label} className="touch:mt-0.5" />}>
      <MenuChoice
        label={t("fileOrder.by")}
        value={by}
        options={fileColumns.map(({ id }) => ({ value: id, label: t(`files.column.${id}`) }))}
        onChange={(chosen) => {
          if (chosen !== by) sortBy(chosen);
        }}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => sortBy(by)}>{t("fileOrder.reverse")}</MenuItem>
    </Menu>
  );
}

/** Picks files from the disk and asks for recipients. */
export function SendFilesButton() {
  const t = useT();
  const warren = useWarren();
  const { pickFiles } = usePlatform();
  const pick = async (): Promise<void> => {
    const files = await pickFiles({ multiple: true });
    if (files.length > 0)
      await forward(
        warren,
        files.map((file) => ({ type: "file", file }) as const),
      );
  };
  return (
    <Button icon={AddIcon} onClick={() => void pick()}>
      {t("files.send")}
    </Button>
  );
}
