import type { BrowserContext } from "@playwright/test";

/** Records the STUN and TURN addresses of every connection that the pages of a context open from now on. */
export async function watchIceServers(context: BrowserContext): Promise<string[]> {
  const addresses: string[] = [];
  const report = "reportIceServers";
  await context.exposeFunction(report, (opened: readonly string[]) => void addresses.push(...opened));
  await context.addInitScript((name) => {
    const Original = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        Reflect.get(globalThis, name)((configuration?.iceServers ?? []).flatMap(({ urls }) => urls));
      }
    };
  }, report);
  return addresses;
}
