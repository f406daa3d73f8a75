import type { Page } from "@playwright/test";

/** What the pages of a person note of their connections. */
interface FarConnections {
  readonly made: RTCPeerConnection[];
}
declare const farConnections: FarConnections;

/**
 * Makes the connections of pages opened from now on look long: their statistics say 50 ms. What they carry and how fast
 * stays as it is.
 */
export async function pretendFar(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const made: RTCPeerConnection[] = [];
    Object.assign(globalThis, { farConnections: { made } });
    const Original = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        made.push(this);
      }
      // One of the overloads, and the only one that is called.
      override async getStats(): Promise<RTCStatsReport> {
        const entries = [...(await super.getStats())].map(([id, entry]): [string, object] => [
          id,
          entry.type === "candidate-pair" ? { ...entry, currentRoundTripTime: 0.05 } : entry,
        ]);
        return new Map(entries);
      }
    };
  });
}

/** How many MiB each connection of a page has sent, in the order they were made; 0 for those that have closed. */
export function sentMib(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    Promise.all(
      farConnections.made.map(async (connection) => {
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
  return page.evaluate((at) => farConnections.made[at]?.close(), index);
}
