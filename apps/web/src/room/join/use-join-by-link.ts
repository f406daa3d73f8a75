import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
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
