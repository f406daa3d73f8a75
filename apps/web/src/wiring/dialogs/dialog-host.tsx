import { Suspense, useEffect } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useHoldPage } from "../../ui/overlays/hold-page.ts";
import { useStore } from "../warren-context.ts";
import { ErrorDialog } from "./error-dialog.tsx";
import { dialogStore, removeDialog } from "./open-dialog.ts";

/** Longer than any dialog takes to fade out. */
const fadeOutMs = 200;

/** Renders the dialog opened by `openDialog`, or the error that stopped it; the page behind it stays. Mounted once, inside the providers that dialogs need. */
export function DialogHost() {
  const state = useStore(dialogStore);
  const closingId = state !== undefined && !state.open ? state.dialog.id : undefined;

  useEffect(() => {
    if (closingId === undefined) return;
    const timer = setTimeout(() => removeDialog(closingId), fadeOutMs);
    return () => clearTimeout(timer);
  }, [closingId]);

  useHoldPage(state?.open === true);

  if (state === undefined) return null;
  const { dialog, open } = state;
  return (
    <ErrorBoundary
      key={dialog.id}
      fallbackRender={({ error, resetErrorBoundary }) => (
        <ErrorDialog dialog={{ ...dialog, open }} error={error} onReset={resetErrorBoundary} />
      )}
    >
      <Suspense fallback={null}>{dialog.render(open)}</Suspense>
    </ErrorBoundary>
  );
}
