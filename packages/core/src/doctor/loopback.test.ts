import { afterEach, expect, it } from "vitest";
import { systemClock } from "../shared/system-clock.ts";
import { NodePeerConnections } from "../testing/node-peer-connections.ts";
import { gatherCandidates } from "./gathering.ts";
import { measureLoopback } from "./loopback.ts";

const connections = new NodePeerConnections();
afterEach(() => connections.closeAll());

it("measures what two real connections carry", async () => {
  const bytesPerSecond = await measureLoopback(
    connections.createPeerConnection,
    systemClock,
    Promise.resolve(),
  );
  expect(bytesPerSecond).toBeGreaterThan(100_000);
  expect(bytesPerSecond).toBeLessThan(10 ** 10);
});

it("gathers this machine's own addresses", async () => {
  const gathered = await gatherCandidates(connections.createPeerConnection, [], systemClock, 3_000);
  expect(gathered).toContainEqual({ type: "host", address: expect.any(String), port: expect.any(Number) });
});
