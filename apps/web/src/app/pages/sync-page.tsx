import type { ClientId } from "@warren/protocol";
import { syncDetails } from "../../compare/sync-details.ts";
import { SyncPage as Sync } from "../../compare/sync-page.tsx";
import { useHidden } from "./use-hidden.ts";

/** The files of two beside each other, with what this browser remembers to be said of each. */
export function SyncPage({ clientId }: { readonly clientId: ClientId }) {
  const [hiddenDetails, setHiddenDetails] = useHidden("hidden_sync_details", syncDetails, ["mimeType"]);
  return <Sync clientId={clientId} hiddenDetails={hiddenDetails} onHideDetails={setHiddenDetails} />;
}
