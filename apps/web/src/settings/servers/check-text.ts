import { errorText } from "../../i18n/i18n.ts";
import type { Translate } from "../../i18n/messages.ts";
import type { CheckState } from "./use-server-checks.ts";

/** The result of a test in words; undefined without one. */
export function checkText(check: CheckState | undefined, t: Translate): string | undefined {
  switch (check?.status) {
    case undefined:
    case "testing":
      return undefined;
    case "answered":
      return check.candidate === "relay"
        ? t("settingsConnection.answeredTurn", { time: check.tookMs })
        : t("settingsConnection.answeredStun", { time: check.tookMs });
    case "silent":
      return t("settingsConnection.silentLine");
    case "refused":
      return t("settingsConnection.refusedLine", { text: check.text, code: check.code });
    case "failed":
      return errorText(check.error);
  }
}
