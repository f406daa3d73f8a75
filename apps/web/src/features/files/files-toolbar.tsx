import { useBreakpoint } from "../../hooks/use-media-query.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
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
    <div className="mt-4 flex items-center gap-2 max-md:flex-wrap">
      <SearchField
        label={t("files.search")}
        clearLabel={t("common.clearSearch")}
        value={query}
        onChange={onQuery}
        className="w-50 shrink max-md:w-0 max-md:flex-1 lg:w-70"
      />
      <fieldset className="flex min-w-0 gap-0.5 overflow-x-auto py-0.5 max-md:order-2 max-md:w-full">
        <legend className="sr-only">{t("files.filter")}</legend>
        {filters.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === filter}
            className={cx(
              "flex h-7 shrink-0 items-center gap-1.5 rounded-full px-2.5 font-medium text-compact outline-offset-[-2px] transition-colors touch:h-11",
              each === filter ? "bg-selected text-text" : "text-text-2 hover:bg-hover hover:text-text",
            )}
            onClick={() => onFilter(each)}
          >
            {t(`files.filters.${each}`)}
            <span className="font-normal text-text-2 tabular-nums">{counts[each]}</span>
          </button>
        ))}
      </fieldset>
      <div className="ml-auto flex gap-2 max-md:order-1 max-md:ml-0">
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
