import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { openDialog } from "../../wiring/dialogs/open-dialog.tsx";
import { JoinByLinkDialog } from "./join-by-link-dialog.tsx";
import { useOpenLink } from "./open-link.ts";

/** Asks for a link or a code, and opens its room. */
export function useJoinByLink(): () => Promise<void> {
  const openLink = useOpenLink();
  return async () => {
    const result = await openDialog(JoinByLinkDialog, {});
    if (!result.cancelled) openLink(result.value);
  };
}

/** Asks for another room than the one on offer. */
export function JoinByLinkButton() {
  const t = useT();
  const ask = useJoinByLink();
  return (
    <Button variant="ghost" size="sm" onClick={() => void ask()}>
      {t("joinByLink.button")}
    </Button>
  );
}
