import { describe, expect, it } from "vitest";
import { TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { startTestServer } from "./testing/test-server.ts";
import { testBox } from "./testing/test-signals.ts";

describe("the log", () => {
  it("contains no id, room, address, signal or token, at its finest level", async () => {
    const server = await startTestServer({ trustedProxyHops: 1, limits: { frameBurst: 20 } });
    const ip = "203.0.113.77";
    const signal = testBox();
    const room = testRoomTag("q");
    const clients: TestClient[] = [];
    for (const number of [41, 42]) {
      const client = await TestClient.open(server.port, { headers: { "x-forwarded-for": ip } });
      await client.hello(testClientId(number));
      clients.push(client);
    }
    const [a, b] = clients as [TestClient, TestClient];
    const { resumeToken } = await a.join(room);
    await b.join(room);
    await a.next("member-joined");
    a.send({ type: "signal", to: testClientId(42), signal });
    await b.next("signal");
    a.send({ type: "signal", to: testClientId(99), signal });
    await a.next("error");
    b.socket.send(`{"type":"join","room":"${room}","marker-of-a-bad-frame`);
    await b.closed;
    await expect(
      TestClient.open(server.port, { origin: "https://marker-of-an-origin.org" }),
    ).rejects.toThrow();
    for (let i = 0; i < 30; i++) a.send({ type: "ping" });
    await a.closed;
    server.clock.advance(60_000);
    await server.stop(0);

    const log = server.logText();
    // It contains what an operator needs.
    expect(log).toMatch(/"closed-frame-not-json":1/);
    expect(log).toMatch(/"closed-rate-limited":1/);
    expect(log).toMatch(/"refused-origin":1/);
    const markers = [
      testClientId(41),
      testClientId(42),
      testClientId(99),
      room,
      ip,
      signal.box,
      signal.run,
      resumeToken,
    ];
    for (const marker of [...markers, "marker-of", "0000-0000", "::1", "127.0.0.1", "::/64"]) {
      expect(log).not.toContain(marker);
    }
  });
});
