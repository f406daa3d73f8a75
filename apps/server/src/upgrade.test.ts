import { once } from "node:events";
import { IncomingMessage, request } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { AddressLimits } from "./limits/address-limits.ts";
import { toClientAddress } from "./limits/client-address.ts";
import { ManualClock } from "./testing/manual-clock.ts";
import { TestClient } from "./testing/test-client.ts";
import { startTestServer } from "./testing/test-server.ts";
import { refuseUpgrade } from "./upgrade.ts";

describe("X-Forwarded-For", () => {
  it.each([
    ["an invalid address", 1, "no address at all", /names no address/g],
    ["a proxy while TRUSTED_PROXY_HOPS is 0", 0, "203.0.113.9", /comes while TRUSTED_PROXY_HOPS is 0/g],
  ])("is reported once: %s", async (_what, trustedProxyHops, forwarded, complaint) => {
    await using server = await startTestServer({ trustedProxyHops });
    for (let attempt = 0; attempt < 5; attempt++) {
      const client = await TestClient.open(server.port, { headers: { "x-forwarded-for": forwarded } });
      client.socket.terminate();
    }
    expect(server.logText().match(complaint)).toHaveLength(1);
    expect(server.logText()).not.toContain(forwarded);
  });
});

describe("opening a socket", () => {
  it.each([
    ["another path", { path: "/" }, "404"],
    ["another path with the same prefix", { path: "/wss" }, "404"],
    ["a page of another host", { origin: "https://evil.example.org" }, "403"],
    ["a page of the same name at another port", { origin: "http://localhost:1" }, "403"],
    ["an opaque origin", { origin: "null" }, "403"],
    ["no origin", { origin: "" }, "403"],
    ["no subprotocol", { protocols: [] }, "400"],
    ["another subprotocol", { protocols: ["room.v2"] }, "400"],
  ])("is refused for %s", async (_name, options, status) => {
    await using server = await startTestServer();
    await expect(TestClient.open(server.port, options)).rejects.toThrow(status);
  });

  it("answers with the right one of the offered subprotocols", async () => {
    await using server = await startTestServer();
    const client = await TestClient.open(server.port, { protocols: ["room.v2", "room.v1"] });
    expect(client.socket.protocol).toBe("room.v1");
    expect(client.socket.extensions).toBe("");
    client.socket.terminate();
  });

  it("uses the Host header behind a proxy, with the default port of the page's scheme", async () => {
    await using server = await startTestServer();
    const open = (origin: string, host: string) =>
      TestClient.open(server.port, { origin, headers: { host } });
    (await open("https://warren.example.org", "warren.example.org")).socket.terminate();
    (await open("https://warren.example.org", "warren.example.org:443")).socket.terminate();
    await expect(open("https://warren.example.org", "warren.example.org:80")).rejects.toThrow("403");
    await expect(open("https://warren.example.org", "evil@warren.example.org")).rejects.toThrow("403");
  });

  it("is refused for an https page from outside if no setting explains where https ends", () => {
    const asked = (ip: string, origin: string, settings: Record<string, string> = {}) => {
      const request = new IncomingMessage(new Socket());
      request.url = "/ws";
      request.headers = { origin, host: new URL(origin).host, "sec-websocket-protocol": "room.v1" };
      const config = readConfig(settings);
      return refuseUpgrade(request, toClientAddress(ip), {
        config,
        addressLimits: new AddressLimits(config.limits, new ManualClock()),
        openSockets: () => 0,
        isDraining: () => false,
        lagMs: () => 0,
      })?.reason;
    };
    const page = "https://evil.example.org";
    expect(asked("203.0.113.5", page)).toBe("https");
    // A tunnel or proxy on this machine and plain http from anywhere need no setting.
    expect(asked("127.0.0.1", page)).toBeUndefined();
    expect(asked("172.17.0.2", page)).toBeUndefined();
    expect(asked("203.0.113.5", "http://192.0.2.1:8080")).toBeUndefined();
    expect(asked("203.0.113.5", page, { SERVER_NAMES: "warren.example.org" })).toBeUndefined();
    expect(asked("203.0.113.5", page, { ALLOWED_ORIGINS: page })).toBeUndefined();
  });

  it("is opened behind a proxy without a setting for it, with one warning in the log", async () => {
    await using server = await startTestServer();
    for (const ip of ["192.0.2.1", "192.0.2.2"]) await server.client(Number(ip.at(-1)), ip);
    expect(server.logText().match(/while TRUSTED_PROXY_HOPS is 0/g)).toHaveLength(1);
  });

  it("uses only the configured origins, if any", async () => {
    await using server = await startTestServer({ allowedOrigins: ["https://warren.example.org"] });
    const client = await TestClient.open(server.port, { origin: "https://warren.example.org" });
    client.socket.terminate();
    await expect(TestClient.open(server.port)).rejects.toThrow("403");
    await expect(TestClient.open(server.port, { origin: "http://warren.example.org" })).rejects.toThrow(
      "403",
    );
    await expect(
      TestClient.open(server.port, { origin: "https://warren.example.org.evil.org" }),
    ).rejects.toThrow("403");
  });

  it("is refused with a time to retry when the process is full, and allowed after someone left", async () => {
    await using server = await startTestServer({ limits: { sockets: 1 } });
    const first = await server.client(1);
    await expect(TestClient.open(server.port)).rejects.toThrow("503");
    const headers = {
      connection: "upgrade",
      upgrade: "websocket",
      origin: `http://localhost:${server.port}`,
      "sec-websocket-protocol": "room.v1",
    };
    const [response] = await once(request({ port: server.port, path: "/ws", headers }).end(), "response");
    expect(response.headers["retry-after"]).toBe("5");
    expect(response.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
    await first.close();
    (await TestClient.open(server.port)).socket.terminate();
  });

  it("is refused while the event loop lags, without affecting open sockets", async () => {
    let lagMs = 0;
    await using server = await startTestServer({ lagMs: () => lagMs });
    const member = await server.client(1);
    lagMs = 201;
    await expect(TestClient.open(server.port)).rejects.toThrow("503");
    expect(await member.rest()).toEqual([]);
    lagMs = 200;
    (await TestClient.open(server.port)).socket.terminate();
  });

  it("is refused to an address that has too many sockets or opens them too fast; our own proxies distinguish clients", async () => {
    await using server = await startTestServer({
      trustedProxyHops: 1,
      limits: { socketsPerAddress: 2, newSocketsPerSecond: 2 },
    });
    const from = (ip: string) => TestClient.open(server.port, { headers: { "x-forwarded-for": ip } });
    const held = [await from("203.0.113.1"), await from("1.1.1.1, 203.0.113.1")];
    await expect(from("203.0.113.1")).rejects.toThrow("429");
    held.push(await from("2001:db8::1"), await from("2001:db8::2"));
    await expect(from("2001:db8::ffff:1")).rejects.toThrow("429");
    held.push(await from("203.0.113.2"));
    held.push(await from("nonsense"), await from("rubbish"));
    await expect(from("unknown")).rejects.toThrow("429");
    expect(server.logText().match(/X-Forwarded-For names no address/g)).toHaveLength(1);
    // They use up nothing of a client that has the proxy's own address.
    for (const ip of ["127.0.0.1", "::1"]) held.push(await from(ip), await from(ip), await from(ip));
    for (const client of held) client.socket.terminate();
  });
});
