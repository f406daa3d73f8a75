import { Component, type ReactNode, Suspense, useEffect, useSyncExternalStore } from "react";
import { translate } from "../i18n/i18n.ts";
import { CodeMissing, httpErrorOf, Loaded, onDemand } from "./on-demand.tsx";
import { dialogStore, type OpenDialog } from "./open-dialog.tsx";
import { toast } from "./toaster.tsx";

const errorDialog = onDemand(() => import("./error-dialog.tsx"));

/** Longer than any dialog takes to fade out. */
const fadeOutMs = 200;

/** Says that neither a dialog nor its error dialog can be rendered; technical details of a crash are left out. */
function reportFailure(error: unknown): void {
  const http = httpErrorOf(error);
  if (http !== null) {
    toast.error(translate("error.http-error", http), {
      description: translate("missingPage.outdated"),
      action: { label: translate("common.reload"), onClick: () => location.reload() },
    });
  } else {
    const isMissing = error instanceof CodeMissing;
    toast.error(translate("common.errorOccurred"), {
      ...(isMissing && { description: translate("error.app-code-missing") }),
    });
  }
}

interface GuardProps {
  readonly dialog: OpenDialog;
  readonly open: boolean;
}

/** Renders a dialog, or the error that stopped it; the page behind it stays. */
class DialogGuard extends Component<GuardProps, { readonly error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override componentDidCatch(error: unknown): void {
    const giveUp = (): void => {
      this.props.dialog.cancel();
      reportFailure(error);
    };
    // A file that the server no longer has only comes with the next version, so a retry cannot help.
    if (httpErrorOf(error) !== null) giveUp();
    else errorDialog.load().catch(giveUp);
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { dialog, open } = this.props;
    if (error === null) return <Suspense fallback={null}>{dialog.render(open)}</Suspense>;
    if (httpErrorOf(error) !== null) return null;
    const reset = (): void => this.setState({ error: null });
    return (
      <Loaded code={errorDialog}>
        {({ ErrorDialog }) => <ErrorDialog dialog={dialog} open={open} error={error} onReset={reset} />}
      </Loaded>
    );
  }
}

/** Renders the dialog opened by `openDialog`. Mounted once, inside the providers that dialogs need. */
export function DialogHost() {
  const state = useSyncExternalStore(dialogStore.subscribe, dialogStore.getState);
  const closingId = state !== undefined && !state.open ? state.dialog.id : undefined;

  useEffect(() => {
    if (closingId === undefined) return;
    const timer = setTimeout(() => dialogStore.remove(closingId), fadeOutMs);
    return () => clearTimeout(timer);
  }, [closingId]);

  if (state === undefined) return null;
  return <DialogGuard key={state.dialog.id} dialog={state.dialog} open={state.open} />;
}
