import { describe, expect, it } from "vitest";
import { Usage } from "./limits/usage.ts";
import { ManualClock } from "./testing/manual-clock.ts";
import { lockedRoom } from "./testing/test-admission.ts";
import { type TestClient, testRoomTag } from "./testing/test-client.ts";
import { startTestServer } from "./testing/test-server.ts";

const room = testRoomTag("a");
const moonLanding = Date.UTC(1969, 6, 20);

describe("a server whose clock is in 1969", () => {
  it("returns a seat of a locked room for its token", async () => {
    await using server = await startTestServer({ clock: new ManualClock(moonLanding) });
    const [, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    b.socket.terminate();
    const again = await server.client(2);
    again.ask(room, { resumeToken: b.resumeToken });
    expect(await again.next("joined")).toMatchObject({ order: 1 });
  });

  it("keeps its clients, and returns seats, when the clock is corrected", async () => {
    await using server = await startTestServer({ clock: new ManualClock(moonLanding) });
    const [a, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    server.clock.set(Date.UTC(2026, 0, 1));
    server.clock.advance(25_000);
    await Promise.all([a.rest(), b.rest()]);
    b.socket.terminate();
    const again = await server.client(2);
    again.ask(room, { resumeToken: b.resumeToken });
    expect(await again.next("joined")).toMatchObject({ order: 1 });
  });

  it("counts events within a window by elapsed time", () => {
    const clock = new ManualClock();
    const usage = new Usage(1_000, clock);
    usage.spend();
    clock.set(moonLanding);
    expect(usage.spent).toBe(1);
    clock.advance(1_000);
    expect(usage.spent).toBe(0);
  });
});
