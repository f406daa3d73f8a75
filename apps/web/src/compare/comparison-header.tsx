import type { ReactElement, ReactNode } from "react";
import { useFormat } from "../i18n/format.ts";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { FittingRouteLine } from "../people/route-line.tsx";
import { hasRouteLine } from "../people/route-text.ts";
import type { Person } from "../people/use-person.ts";
import { ColumnVisibilityItems } from "../table/column-visibility-items.tsx";
import type { ColumnVisibility } from "../table/use-column-visibility.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { FilterChips } from "../ui/fields/filter-chips.tsx";
import { SearchField } from "../ui/fields/search-field.tsx";
import { useClock } from "../ui/hooks/use-clock.ts";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { OpensMenuIcon, RefreshIcon, SortIcon } from "../ui/icons.ts";
import { Menu, MenuChoice, MenuSeparator } from "../ui/overlays/menu.tsx";
import { paths } from "../wiring/paths.ts";
import {
  type ComparisonDetail,
  type ComparisonFilter,
  type ComparisonOrder,
  comparisonDetails,
  isInFilter,
} from "./comparison-rows.ts";
import type { Comparison } from "./use-comparison.ts";

const filters: readonly ComparisonFilter[] = ["all", "new", "changed", "only-mine", "same", "set-aside"];

/** Keeps "10 s ago" accurate to five seconds. */
const agoEveryMs = 5_000;

interface ComparisonHeaderProps extends ColumnVisibility<ComparisonDetail> {
  readonly comparison: Comparison;
  readonly person: Person;
  /** Further buttons, at the end. */
  readonly actions: ReactNode;
}

/** Whose files are compared and when they were listed, with the search. */
export function ComparisonHeader({ comparison, person, actions, ...details }: ComparisonHeaderProps) {
  const t = useT();
  const isPhone = useBreakpoint() === "phone";
  const search = {
    label: t("compare.search"),
    value: comparison.query,
    onChange: comparison.setQuery,
  };
  const isAsking = comparison.listing?.request.status === "asking";
  return (
    <header className="shrink-0 border-line border-b">
      <div className="flex min-h-14 items-center gap-3 pr-3 pl-3 max-md:gap-1 max-md:pr-1.5 max-md:pl-1">
        <BackLink
          to={paths.chat.href(person.id)}
          label={t("compare.back", { name: person.firstName })}
          className="md:-mx-1.5"
        />
        <div className="min-w-0 flex-1">
          <h1 className="truncate text-heading-sm">{t("compare.title", { name: person.firstName })}</h1>
          <div className="flex gap-x-3">
            <ComparedLine comparison={comparison} isHere={person.isHere} name={person.firstName} />
            {hasRouteLine(person) && <FittingRouteLine person={person} className="flex-1 text-text-2" />}
          </div>
        </div>
        {!isPhone && <SearchField {...search} className="w-[220px]" />}
        <IconButton
          icon={RefreshIcon}
          label={t("compare.refresh")}
          disabledReason={
            isAsking
              ? t("compare.asking")
              : person.isHere
                ? undefined
                : t("compare.away", { name: person.firstName })
          }
          onClick={comparison.refresh}
        />
        {actions}
      </div>
      {isPhone && (
        <div className="mr-1.5 mb-2 ml-3 flex items-center gap-1">
          <SearchField {...search} className="min-w-0 flex-1" />
          <ComparisonOrderMenu
            {...details}
            comparison={comparison}
            trigger={<IconButton icon={SortIcon} label={t(`compare.sorted.${comparison.order}`)} />}
          />
        </div>
      )}
    </header>
  );
}

interface ComparedLineProps {
  readonly comparison: Comparison;
  readonly isHere: boolean;
  readonly name: string;
}

function ComparedLine({ comparison: { listing }, isHere, name }: ComparedLineProps) {
  const t = useT();
  const format = useFormat();
  const now = useClock(agoEveryMs, listing?.answeredAt != null);
  const { request, answeredAt = null } = listing ?? {};
  const isFailed = isHere && request?.status === "failed";
  const words = (): string => {
    if (!isHere) return t("compare.away", { name });
    if (isFailed) return errorText(request.error);
    const { files, total } = listing ?? { files: null, total: 0 };
    const known = files?.length ?? 0;
    const isCut = known < total;
    if (isCut) return t("compare.known", { known: format.number(known), total: format.number(total) });
    if (answeredAt === null || request?.status === "asking") return t("compare.asking");
    return now - answeredAt < agoEveryMs
      ? t("compare.comparedNow")
      : t("compare.compared", { duration: format.duration(roundedAge(now - answeredAt)) });
  };
  return (
    <p className={cx("truncate text-meta tabular-nums", isFailed ? "text-danger" : "text-text-2")}>
      {words()}
    </p>
  );
}

/** Below a minute in steps of five seconds, then in whole minutes. */
function roundedAge(ageMs: number): number {
  const step = ageMs < 60_000 ? agoEveryMs : 60_000;
  return Math.floor(ageMs / step) * step;
}

/** Which of the compared files are shown; on a wide screen also in which order. */
export function ComparisonToolbar({
  comparison,
  ...details
}: ColumnVisibility<ComparisonDetail> & { readonly comparison: Comparison }) {
  const t = useT();
  const isPhone = useBreakpoint() === "phone";
  const { rows, filter, setFilter } = comparison;
  const chips = filters
    .map((value) => ({
      value,
      label: t(`compare.filters.${value}`),
      count: rows.filter((row) => isInFilter(row, value)).length,
    }))
    .filter(({ value, count }) => value !== "set-aside" || count > 0 || filter === value);
  return (
    <div className="flex min-h-[52px] shrink-0 items-center justify-between gap-x-3 border-line border-b px-4 max-lg:flex-wrap max-lg:py-2 max-md:px-2 max-md:py-0">
      <FilterChips label={t("compare.filter")} value={filter} chips={chips} onChange={setFilter} />
      {!isPhone && (
        <ComparisonOrderMenu
          {...details}
          comparison={comparison}
          trigger={
            <Button variant="ghost" size="sm" className="max-lg:-ml-[9px] max-lg:mt-0.5 lg:-mr-[9px]">
              {t(`compare.sorted.${comparison.order}`)}
              <OpensMenuIcon size={14} />
            </Button>
          }
        />
      )}
    </div>
  );
}

const orders: readonly ComparisonOrder[] = ["missing", "name", "size", "time"];

interface ComparisonOrderMenuProps extends ColumnVisibility<ComparisonDetail> {
  readonly comparison: Comparison;
  /** The button that opens it. */
  readonly trigger: ReactElement;
}

/** Selects the sort order of the compared files, and the details shown of each. */
function ComparisonOrderMenu({ comparison, trigger, ...choice }: ComparisonOrderMenuProps) {
  const { order, setOrder } = comparison;
  const t = useT();
  return (
    <Menu trigger={trigger}>
      <MenuChoice
        label={t("compare.order")}
        value={order}
        options={orders.map((value) => ({ value, label: t(`compare.orders.${value}`) }))}
        onChange={setOrder}
      />
      <MenuSeparator />
      <ColumnVisibilityItems
        {...choice}
        all={comparisonDetails}
        labelOf={(detail) => t(`compare.details.${detail}`)}
      />
    </Menu>
  );
}
