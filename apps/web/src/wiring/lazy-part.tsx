import { type ReactNode, Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useT } from "../i18n/use-t.ts";
import { isMissingCode } from "./missing-code.ts";
import { toast } from "./toast.ts";

/** A part of the screen that is left out until its code has arrived, or if it crashes; the rest stays. */
export function LazyPart({ children }: { readonly children: ReactNode }) {
  const t = useT();
  const report = (error: unknown): void => {
    if (!isMissingCode(error)) toast.error(t("common.errorOccurred"));
    else
      toast.error(t("error.app-code-missing"), {
        durationMs: Number.POSITIVE_INFINITY,
        action: { label: t("common.tryAgain"), onClick: () => location.reload() },
      });
  };
  return (
    <ErrorBoundary fallback={null} onError={report}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}
