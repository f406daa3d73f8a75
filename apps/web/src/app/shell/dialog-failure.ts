import type { Translate } from "../../i18n/messages.ts";
import { CodeMissing, httpErrorOf } from "../../ui/on-demand.tsx";

/** The text for a dialog that did not open. */
export interface DialogFailure {
  readonly title: string;
  readonly description?: string;
  readonly action?: { readonly label: string; readonly onClick: () => void };
}

/** The toast for a dialog that did not open; technical details are left out for one that crashed. */
export function dialogFailure(error: unknown, t: Translate): DialogFailure {
  if (!(error instanceof CodeMissing)) return { title: t("common.errorOccurred") };
  const http = httpErrorOf(error);
  if (http === null) return { title: t("common.errorOccurred"), description: t("error.app-code-missing") };
  return {
    title: t("error.http-error", http),
    description: t("missingPage.outdated"),
    action: { label: t("common.reload"), onClick: () => location.reload() },
  };
}
