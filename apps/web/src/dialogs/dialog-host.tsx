import { Component, type ReactNode, Suspense, useEffect, useSyncExternalStore } from "react";
import { dialogStore, type OpenDialog } from "./open-dialog.tsx";

/** Longer than any dialog takes to fade out. */
const fadeOutMs = 200;

interface GuardProps {
  readonly dialog: OpenDialog;
  readonly onError: (error: unknown) => void;
  readonly children: ReactNode;
}

/** A dialog that cannot be loaded or drawn ends as cancelled; the page behind it stays. */
class DialogGuard extends Component<GuardProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.dialog.cancel();
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}

/** Draws the dialog that `openDialog` shows. It stands once, inside the providers that dialogs need. */
export function DialogHost({ onError }: { readonly onError: (error: unknown) => void }) {
  const state = useSyncExternalStore(dialogStore.subscribe, dialogStore.getState);
  const closingId = state !== undefined && !state.open ? state.dialog.id : undefined;

  useEffect(() => {
    if (closingId === undefined) return;
    const timer = setTimeout(() => dialogStore.remove(closingId), fadeOutMs);
    return () => clearTimeout(timer);
  }, [closingId]);

  if (state === undefined) return null;
  return (
    <DialogGuard key={state.dialog.id} dialog={state.dialog} onError={onError}>
      <Suspense fallback={null}>{state.dialog.render(state.open)}</Suspense>
    </DialogGuard>
  );
}
