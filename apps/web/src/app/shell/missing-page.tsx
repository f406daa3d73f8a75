import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { InfoIcon } from "../../ui/icons.tsx";

/** What stands in place of a page whose code could not be fetched. */
export function MissingPage({ onRetry }: { readonly onRetry: () => void }) {
  const t = useT();
  return (
    <div role="alert" className="flex flex-1 items-center justify-center overflow-y-auto bg-surface p-5">
      <EmptyState
        icon={InfoIcon}
        heading="h1"
        title={t("missingPage.title")}
        action={
          <div className="flex gap-2">
            <Button variant="primary" onClick={onRetry}>
              {t("common.tryAgain")}
            </Button>
            <Button variant="ghost" onClick={() => location.reload()}>
              {t("common.reload")}
            </Button>
          </div>
        }
      >
        {t("missingPage.line")}
      </EmptyState>
    </div>
  );
}
