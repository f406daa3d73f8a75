import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { startTestServer } from "./testing/test-server.ts";

const board = readFileSync(new URL("../../../deploy/grafana-board.json", import.meta.url), "utf8");

async function scrape(port: number | undefined): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  return response.text();
}

describe("metrics", () => {
  it("count sockets, rooms, joins, signals and refusals, without naming clients or rooms", async () => {
    await using server = await startTestServer({ metrics: { port: 0, host: "127.0.0.1" } });
    const room = testRoomTag("a");
    const [first, second, outside] = [await server.client(1), await server.client(2), await server.client(3)];
    await first.join(room);
    await second.join(room);
    outside.send({ type: "leave" });
    await outside.next("error");
    await expect(TestClient.open(server.port, { protocols: [] })).rejects.toThrow("400");

    const text = await scrape(server.metricsPort);
    const lines = text.split("\n");
    for (const line of [
      "warren_sockets 3",
      "warren_members 2",
      "warren_rooms 1",
      "warren_redis_servers 0",
      "warren_sockets_opened_total 3",
      'warren_frames_total{type="join"} 2',
      'warren_refusals_total{reason="subprotocol"} 1',
      'warren_errors_total{code="not-in-room"} 1',
      'warren_join_seconds_bucket{le="0.05"} 2',
      'warren_join_seconds_bucket{le="+Inf"} 2',
      "warren_join_seconds_count 2",
    ])
      expect(lines).toContain(line);
    for (const secret of [room, testClientId(1), "127.0.0.1", "::1"]) expect(text).not.toContain(secret);
  });

  it("are served only on their own port", async () => {
    await using server = await startTestServer({ metrics: { port: 0, host: "127.0.0.1" } });
    expect(server.metricsPort).not.toBe(server.port);
    for (const port of [server.port, server.metricsPort])
      expect((await fetch(`http://localhost:${port}/metrics2`)).ok).toBe(false);
    const { headers } = await fetch(`http://localhost:${server.metricsPort}/metrics`);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect((await fetch(`http://localhost:${server.port}/metrics`)).ok).toBe(false);
    await using without = await startTestServer();
    expect(without.metricsPort).toBeUndefined();
  });

  it("share their port with the health checks, which report when the server is stopping", async () => {
    await using server = await startTestServer({ metrics: { port: 0, host: "127.0.0.1" } });
    const at = async (path: string, method = "GET") => {
      const { status } = await fetch(`http://127.0.0.1:${server.metricsPort}${path}`, { method });
      return status;
    };
    expect([await at("/healthz"), await at("/readyz"), await at("/readyz", "HEAD")]).toEqual([200, 200, 200]);
    expect([await at("/"), await at("/ws"), await at("/healthz", "POST")]).toEqual([404, 404, 404]);
    const member = await server.client(1);
    const stopped = server.stop(5_000);
    await member.next("drain");
    expect([await at("/healthz"), await at("/readyz")]).toEqual([200, 503]);
    await member.close();
    await stopped;
  });

  it("are answered while connections that never read occupy their port", async () => {
    await using server = await startTestServer({ metrics: { port: 0, host: "127.0.0.1" } });
    const { metricsPort: port = 0 } = server;
    const holders = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const holder = connect(port, "127.0.0.1").pause();
        holder.on("error", () => {});
        holder.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1_500));
        await once(holder, "connect");
        return holder;
      }),
    );
    expect(await scrape(port)).toContain("warren_sockets 0");
    // More pending requests than a connection may have close it.
    await Promise.all(holders.map((holder) => once(holder.resume(), "close")));
  });

  it("include all that the dashboard queries", async () => {
    await using server = await startTestServer({ metrics: { port: 0, host: "127.0.0.1" } });
    const text = await scrape(server.metricsPort);
    const asked = new Set(board.match(/\b(?:warren|process|nodejs)_\w+/g));
    expect(asked.size).toBeGreaterThan(10);
    for (const name of asked) expect(text).toContain(`# TYPE ${name.replace(/_bucket$/, "")} `);
  });
});
