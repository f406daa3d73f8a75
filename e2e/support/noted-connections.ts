import type { Page } from "@playwright/test";

/** What the pages of a person note of their connections. */
interface NotedConnections {
  readonly made: RTCPeerConnection[];
}
declare const notedConnections: NotedConnections;

/** Notes the connections of pages opened from now on. */
export async function noteConnections(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const made: RTCPeerConnection[] = [];
    Object.assign(globalThis, { notedConnections: { made } });
    const Original = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        made.push(this);
      }
    };
  });
}

/** How many MiB each connection of a page has sent, in the order they were made; 0 for those that have closed. */
export function sentMib(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    Promise.all(
      notedConnections.made.map(async (connection) => {
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

/** Closes a connection of a page without a word to the app. */
export function killConnection(page: Page, index: number): Promise<void> {
  return page.evaluate((at) => notedConnections.made[at]?.close(), index);
}
