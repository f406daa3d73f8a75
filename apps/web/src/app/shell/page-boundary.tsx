import { type ReactNode, useEffect } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { InfoIcon } from "../../ui/icons.ts";
import { ErrorFallback } from "../../wiring/dialogs/error-fallback.tsx";
import { isMissingCode } from "../../wiring/missing-code.ts";

interface PageBoundaryProps {
  /** The address of the page inside the shell: a change renders the new page. Omitted for the whole app. */
  readonly path?: string;
  /** Called when a page crashes and when it is re-rendered. */
  readonly onStopped?: (isStopped: boolean) => void;
  readonly children: ReactNode;
}

/** Shows the error in place of a crashed page and re-renders the page on request. */
export function PageBoundary({ path, onStopped = ignore, children }: PageBoundaryProps) {
  return (
    <ErrorBoundary
      resetKeys={[path]}
      fallbackRender={(stopped) => {
        const page = <Stopped {...stopped} onStopped={onStopped} />;
        return path === undefined ? <main className="flex min-h-full w-full flex-1">{page}</main> : page;
      }}
    >
      {children}
    </ErrorBoundary>
  );
}

const ignore = (): void => {};

interface StoppedProps extends FallbackProps {
  readonly onStopped: (isStopped: boolean) => void;
}

function Stopped({ error, resetErrorBoundary, onStopped }: StoppedProps) {
  useEffect(() => {
    onStopped(true);
    return () => onStopped(false);
  }, [onStopped]);
  return isMissingCode(error) ? <MissingPage /> : <CrashedPage error={error} onReset={resetErrorBoundary} />;
}

interface CrashedPageProps {
  readonly error: unknown;
  readonly onReset: () => void;
}

function CrashedPage({ error, onReset }: CrashedPageProps) {
  const t = useT();
  return (
    <div className="flex min-w-0 flex-1 overflow-y-auto bg-surface p-5">
      <div role="alert" className="m-auto w-full max-w-[496px]">
        <h1 className="text-title">{t("fallback.title")}</h1>
        <p className="mt-1 text-body-lg text-text-2">{t("fallback.line")}</p>
        <ErrorFallback error={error} resetLabel={t("fallback.reset")} onReset={onReset} />
      </div>
    </div>
  );
}

/** Shown in place of a page whose code could not be fetched. */
function MissingPage() {
  const t = useT();
  return (
    <div role="alert" className="flex flex-1 items-center justify-center overflow-y-auto bg-surface p-5">
      <EmptyState
        icon={InfoIcon}
        heading="h1"
        title={t("missingPage.title")}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {t("common.tryAgain")}
          </Button>
        }
      >
        {t("missingPage.line")}
      </EmptyState>
    </div>
  );
}
