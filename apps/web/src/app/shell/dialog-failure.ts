import type { Translate } from "../../i18n/messages.ts";
import { CodeMissing } from "../../ui/on-demand.tsx";

/** What to say of a dialog that did not open; nothing beyond that of one that broke. */
export function dialogFailure(error: unknown, t: Translate): { description?: string } {
  return error instanceof CodeMissing ? { description: t("missingPage.toast") } : {};
}
