import type { Person } from "../transfer/person.ts";

declare global {
  /** Every connection of the page, in order of creation. */
  var madeConnections: RTCPeerConnection[];
}

/**
 * Records the connections of pages opened from now on. The returned function gives how many of them carried
 * more than overhead.
 */
export async function countConnections({ context, page }: Person): Promise<() => Promise<number>> {
  await context.addInitScript(() => {
    globalThis.madeConnections = [];
    const Original = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        globalThis.madeConnections.push(this);
      }
    };
  });
  return () =>
    page.evaluate(async () => {
      const upkeepBytes = 256 * 1024;
      const reports = await Promise.all(
        globalThis.madeConnections.map((connection) => connection.getStats()),
      );
      const sent = reports.map((report) => {
        let bytes = 0;
        report.forEach((entry) => {
          if (entry.type === "transport") bytes += entry.bytesSent;
        });
        return bytes;
      });
      return sent.filter((bytes) => bytes > upkeepBytes).length;
    });
}
