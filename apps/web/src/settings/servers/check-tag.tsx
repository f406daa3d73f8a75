import { useT } from "../../i18n/use-t.ts";
import { Tag } from "../../ui/badge.tsx";
import { CheckIcon } from "../../ui/icons.ts";
import { Spinner } from "../../ui/spinner.tsx";
import type { CheckState } from "./use-server-checks.ts";

/**
 * The result of a test in one word. Its element exists before the result, so that screen readers announce it.
 */
export function CheckTag({ check }: { readonly check: CheckState | undefined }) {
  const t = useT();
  return (
    <span role="status" className="shrink-0">
      {check?.status === "testing" && (
        <Tag>
          <Spinner size={12} />
          {t("settingsConnection.testing")}
        </Tag>
      )}
      {check?.status === "answered" && (
        <Tag tone="accent">
          <CheckIcon size={12} />
          {t("settingsConnection.works")}
        </Tag>
      )}
      {check?.status === "silent" && <Tag tone="warn">{t("settingsConnection.silent")}</Tag>}
      {(check?.status === "refused" || check?.status === "failed") && (
        <Tag tone="danger">{t("settingsConnection.refused")}</Tag>
      )}
    </span>
  );
}
