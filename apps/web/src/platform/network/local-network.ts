import { isPrivateAddress, readIpAddress } from "@warren/protocol/ip-address";

/** The permission, and its name in Chromium 138 to 144. */
const permissionNames = ["local-network", "local-network-access"];

/**
 * What a browser with Local Network Access has decided for this page: whether it may reach private addresses. A watch
 * that reports it now and when it changes; never, where the browser has no such permission or the page itself has such
 * an address. "prompt" is also reported by browsers that know the permission and do not ask.
 */
export function watchLocalNetworkAccess(report: (state: PermissionState) => void, signal: AbortSignal): void {
  if (isLocalHost(location.hostname)) return;
  void query().then((status) => {
    if (status === null || signal.aborted) return;
    report(status.state);
    status.addEventListener("change", () => report(status.state), { signal });
  });
}

async function query(): Promise<PermissionStatus | null> {
  for (const name of permissionNames) {
    try {
      // Not yet one of TypeScript's names.
      return await navigator.permissions.query({ name: name as PermissionName });
    } catch {
      // A browser rejects names that it does not know.
    }
  }
  return null;
}

/** Whether a host of a page is in a local network, as far as its name tells. */
export function isLocalHost(hostname: string): boolean {
  const address = readIpAddress(hostname.replace(/^\[|\]$/g, ""));
  return address
    ? isPrivateAddress(address)
    : /(?:^|\.)(?:localhost|local|lan|internal|home\.arpa)$/.test(hostname);
}
