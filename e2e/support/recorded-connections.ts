import type { Page } from "@playwright/test";

/** The connections recorded in a person's pages. */
interface RecordedConnections {
  readonly made: RTCPeerConnection[];
}
declare const recordedConnections: RecordedConnections;

/** Records the connections of pages opened from now on. */
export async function recordConnections(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const made: RTCPeerConnection[] = [];
    Object.assign(globalThis, { recordedConnections: { made } });
    const Original = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        made.push(this);
      }
    };
  });
}

/** The MiB sent on each connection of a page, in order of creation; 0 for closed ones. */
export function sentMib(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    Promise.all(
      recordedConnections.made.map(async (connection) => {
        if (connection.connectionState === "closed") return 0;
        let bytes = 0;
        (await connection.getStats()).forEach((entry) => {
          if (entry.type === "transport") bytes += entry.bytesSent;
        });
        return bytes / 1024 ** 2;
      }),
    ),
  );
}

/** Closes a connection of a page without notifying the app. */
export function killConnection(page: Page, index: number): Promise<void> {
  return page.evaluate((at) => recordedConnections.made[at]?.close(), index);
}
