import type { ClientId } from "@warren/protocol";
import { ConnectionBanner } from "../chat/connection-banner.tsx";
import { PersonMenu } from "../chat/list/person-menu.tsx";
import { preview } from "../files/preview/preview-dialog.tsx";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { type Person, usePerson } from "../people/use-person.ts";
import { useColumnVisibility } from "../table/use-column-visibility.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { CompareIcon, SearchIcon, WarningIcon } from "../ui/icons.ts";
import { Spinner } from "../ui/spinner.tsx";
import { usePlatform } from "../wiring/platform-context.ts";
import { useWarren } from "../wiring/warren-context.ts";
import { ComparisonFooter } from "./comparison-footer.tsx";
import { ComparisonHeader, ComparisonToolbar } from "./comparison-header.tsx";
import { type ComparisonRow, comparisonDetails } from "./comparison-rows.ts";
import { ComparisonTable } from "./comparison-table.tsx";
import { type Comparison, useComparison } from "./use-comparison.ts";

interface ComparisonPageProps {
  readonly personId: ClientId;
}

/** Compares my files with those a peer shares: new, changed, only mine or the same. Fetches and sends them. */
export default function ComparisonPage({ personId }: ComparisonPageProps) {
  const t = useT();
  const person = usePerson(personId);
  const details = useColumnVisibility("hidden_sync_details", comparisonDetails, ["mimeType"]);
  const comparison = useComparison(person);
  const warren = useWarren();
  const platform = usePlatform();
  const obstacle = person.isHere ? undefined : t("compare.away", { name: person.firstName });
  const isCompared = comparison.listing?.files != null;
  const open = ({ mine }: ComparisonRow): void => {
    if (mine) void preview(warren, platform, mine.description);
  };
  return (
    <section
      aria-label={t("compare.title", { name: person.firstName })}
      // Isolated, so that the table's sticky header stays below the edge of the people list.
      className="isolate flex min-h-0 min-w-0 flex-1 flex-col bg-surface"
    >
      <ComparisonHeader
        {...details}
        comparison={comparison}
        person={person}
        actions={<PersonMenu person={person} location="compare" />}
      />
      <ConnectionBanner person={person} />
      {isCompared && comparison.rows.length > 0 ? (
        <>
          <ComparisonToolbar {...details} comparison={comparison} />
          {comparison.shown.length > 0 ? (
            <ComparisonTable
              comparison={comparison}
              person={person}
              hidden={details.hidden}
              obstacle={obstacle}
              onOpen={open}
            />
          ) : (
            <NothingFound comparison={comparison} />
          )}
          <ComparisonFooter comparison={comparison} obstacle={obstacle} />
        </>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto py-6">
          <NothingYet comparison={comparison} person={person} />
        </div>
      )}
    </section>
  );
}

function NothingFound({ comparison }: { readonly comparison: Comparison }) {
  const t = useT();
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-center py-6">
      <EmptyState
        icon={SearchIcon}
        title={t("common.noResults")}
        action={
          <Button
            variant="ghost"
            onClick={() => {
              comparison.setQuery("");
              comparison.setFilter("all");
            }}
          >
            {t("compare.showAll")}
          </Button>
        }
      />
    </div>
  );
}

/** Replaces the rows: the peer is away, has not answered, or shares nothing. */
function NothingYet({ comparison, person }: { readonly comparison: Comparison; readonly person: Person }) {
  const t = useT();
  const name = person.firstName;
  const { request } = comparison.listing ?? {};
  if (!person.isHere) {
    return (
      <EmptyState icon={CompareIcon} title={t("compare.away", { name })}>
        {t("compare.awayLine")}
      </EmptyState>
    );
  }
  if (request?.status === "failed") {
    return (
      <EmptyState
        icon={WarningIcon}
        title={t("compare.noAnswer", { name })}
        action={<Button onClick={comparison.refresh}>{t("common.tryAgain")}</Button>}
      >
        {errorText(request.error)}
      </EmptyState>
    );
  }
  if (comparison.listing?.files == null) {
    return (
      <p role="status" className="flex items-center justify-center gap-2 text-compact text-text-2">
        <Spinner size={16} />
        {t("compare.askingName", { name })}
      </p>
    );
  }
  return (
    <EmptyState icon={CompareIcon} title={t("compare.empty", { name })}>
      {t("compare.emptyLine")}
    </EmptyState>
  );
}
