import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { InfoIcon } from "../../ui/icons.ts";
import type { CodeMissing } from "../../ui/on-demand.tsx";
import { httpErrorOf } from "../../ui/on-demand.tsx";

interface MissingPageProps {
  readonly error: CodeMissing;
  readonly onRetry: () => void;
}

/** Shown in place of a page whose code could not be fetched. */
export function MissingPage({ error, onRetry }: MissingPageProps) {
  const t = useT();
  // Retrying does not help if the server no longer has the file.
  const isOutdated = httpErrorOf(error) !== null;
  const retry = (
    <Button variant={isOutdated ? "ghost" : "primary"} onClick={onRetry}>
      {t("common.tryAgain")}
    </Button>
  );
  const reload = (
    <Button variant={isOutdated ? "primary" : "ghost"} onClick={() => location.reload()}>
      {t("common.reload")}
    </Button>
  );
  return (
    <div role="alert" className="flex flex-1 items-center justify-center overflow-y-auto bg-surface p-5">
      <EmptyState
        icon={InfoIcon}
        heading="h1"
        title={t("missingPage.title")}
        action={
          <div className="flex gap-2">
            {isOutdated ? reload : retry}
            {isOutdated ? retry : reload}
          </div>
        }
      >
        {t(isOutdated ? "missingPage.outdated" : "missingPage.line")}
      </EmptyState>
    </div>
  );
}
