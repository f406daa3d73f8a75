import type { ClientId } from "@warren/protocol";
import { syncDetails } from "../../compare/sync-details.ts";
import { SyncPage as Sync } from "../../compare/sync-page.tsx";
import { useHidden } from "./use-hidden.ts";

/** My files beside a peer's, with this browser's remembered columns. */
export function SyncPage({ clientId }: { readonly clientId: ClientId }) {
  const [hidden, setHidden] = useHidden("hidden_sync_details", syncDetails, ["mimeType"]);
  return <Sync clientId={clientId} hidden={hidden} onHide={setHidden} />;
}
