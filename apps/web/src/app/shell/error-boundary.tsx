import { Component, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { InfoIcon } from "../../ui/icons.ts";
import { CodeMissing, httpErrorOf, onDemand } from "../../ui/on-demand.tsx";

const errorPage = onDemand(() => import("./error-page.tsx"));

interface ErrorBoundaryProps {
  /** The address of the page inside the shell: a change renders the new page. Omitted for the whole app. */
  readonly place?: string;
  /** Called when a page crashes and when it is re-rendered. */
  readonly onStopped?: (isStopped: boolean) => void;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly error: Error | null;
  readonly place?: string | undefined;
}

/** Shows the error in place of a crashed page and re-renders the page on request. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: null, place: this.props.place };

  static getDerivedStateFromError(thrown: unknown): Partial<ErrorBoundaryState> {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  static getDerivedStateFromProps(
    { place }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return place === state.place ? null : { error: null, place };
  }

  override componentDidMount(): void {
    if (this.state.error !== null) this.props.onStopped?.(true);
  }

  override componentDidUpdate(_props: ErrorBoundaryProps, before: ErrorBoundaryState): void {
    const isStopped = this.state.error !== null;
    if (isStopped !== (before.error !== null)) this.props.onStopped?.(isStopped);
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { place, children } = this.props;
    if (error === null) return children;
    const reset = (): void => this.setState({ error: null });
    const page = <Stopped error={error} onReset={reset} />;
    return place === undefined ? <main className="flex min-h-full w-full flex-1">{page}</main> : page;
  }
}

/** The error in place of the page, or that its code could not be fetched, or the code that shows the error. */
function Stopped({ error, onReset }: { readonly error: Error; readonly onReset: () => void }) {
  const loaded = useSyncExternalStore(errorPage.subscribe, errorPage.get);
  const [missing, setMissing] = useState(error instanceof CodeMissing ? error : null);
  useEffect(() => {
    if (missing === null) errorPage.load().catch(setMissing);
  }, [missing]);
  if (missing !== null)
    return <MissingPage error={missing} onRetry={missing === error ? onReset : () => setMissing(null)} />;
  return loaded && <loaded.ErrorPage error={error} onReset={onReset} />;
}

interface MissingPageProps {
  readonly error: CodeMissing;
  readonly onRetry: () => void;
}

/** Shown in place of a page whose code could not be fetched. */
function MissingPage({ error, onRetry }: MissingPageProps) {
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
