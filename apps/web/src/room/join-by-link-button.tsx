import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { openDialog } from "../ui/open-dialog.tsx";
import { JoinByLinkDialog } from "./join-by-link-dialog.tsx";
import { useOpenLink } from "./open-link.ts";

/** Asks for another room than the one on offer. */
export function JoinByLinkButton() {
  const t = useT();
  const openLink = useOpenLink();
  const ask = async (): Promise<void> => {
    const result = await openDialog(JoinByLinkDialog, {});
    if (!result.cancelled) openLink(result.value);
  };
  return (
    <Button variant="ghost" size="sm" onClick={() => void ask()}>
      {t("joinByLink.button")}
    </Button>
  );
}
