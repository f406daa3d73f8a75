import { useState } from "react";
import { watchLocalNetworkAccess } from "../platform/network/local-network.ts";
import { useAbortableEffect } from "../ui/hooks/use-abortable-effect.ts";

/** What the browser has decided about the local network; null where it does not decide. */
export function useLocalNetworkAccess(): PermissionState | null {
  const [state, setState] = useState<PermissionState | null>(null);
  useAbortableEffect((signal) => watchLocalNetworkAccess(setState, signal), []);
  return state;
}
