import { describe, expect, it, vi } from "vitest";
import type { Servers, TurnServer } from "../settings/options.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { IceConfiguration } from "./ice-configuration.ts";
import { iceServersOf, peerConfigurationOf } from "./ice-servers.ts";
import { resolveTurn } from "./turn-credentials.ts";

const now = 1_700_000_000_000;
const serverTime = async () => now;
const noFetch = () => Promise.reject(new TypeError("no network"));
const turn = (change: Partial<TurnServer> = {}): TurnServer => ({
  authMethod: "longterm",
  url: "turn:relay.test:3478",
  username: "user",
  password: "secret",
  ...change,
});

describe("the ICE servers of the settings", () => {
  it("are used in addition to the signalling server's relays, which alone are sufficient for relay-only", () => {
    const offered = [{ urls: ["turn:server.test"], username: "u", credential: "c" }];
    const servers = { stuns: [], turns: [] };
    const own = [{ urls: "stun:a.test" }];
    expect(peerConfigurationOf(own, { servers, relayOnly: true, offered })).toMatchObject({
      iceServers: [...own, ...offered],
      iceTransportPolicy: "relay",
    });
    expect(peerConfigurationOf(own, { servers, relayOnly: true }).iceTransportPolicy).toBe("all");
  });

  it("skip blank STUN entries and use equal ones once", async () => {
    const servers: Servers = { stuns: ["stun:a.test", " ", "", "stun:b.test", "stun:a.test "], turns: [] };
    expect(await iceServersOf(servers, { serverTime, fetch: noFetch })).toEqual({
      iceServers: [{ urls: "stun:a.test" }, { urls: "stun:b.test" }],
      leftOut: [],
    });
  });

  it("use a TURN server's long-term credential, with one entry per URL and none without a user", async () => {
    const turns = [turn(), turn({ password: "other" }), turn({ url: "turn:b.test", username: " " })];
    const { iceServers } = await iceServersOf({ stuns: [], turns }, { serverTime, fetch: noFetch });
    expect(iceServers).toEqual([{ urls: "turn:relay.test:3478", username: "user", credential: "secret" }]);
  });

  it("derive an hmac credential for one day as coturn does", async () => {
    // echo -n 1700086400:user | openssl dgst -sha1 -hmac secret -binary | base64
    expect(await resolveTurn(turn({ authMethod: "hmac" }), { serverTime, fetch: noFetch })).toEqual([
      {
        urls: "turn:relay.test:3478",
        username: "1700086400:user",
        credential: "qZJqwguvW7h07ccL4aivkLTkvjc=",
      },
    ]);
  });

  it("fetch cloudflare's servers with the key's token", async () => {
    const answer = { iceServers: { urls: ["turn:cf.test"], username: "u", credential: "c" } };
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json(answer, { status: 201 }));
    const server = turn({ authMethod: "cloudflare", username: "key/1", password: "token" });
    expect(await resolveTurn(server, { serverTime, fetch })).toEqual([answer.iceServers]);
    const [url, init] = fetch.mock.calls.at(0) ?? [];
    expect(url).toBe("https://rtc.live.cloudflare.com/v1/turn/keys/key%2F1/credentials/generate");
    expect(init).toMatchObject({
      method: "POST",
      headers: { Authorization: "Bearer token", "Content-Type": "application/json" },
      body: '{"ttl":86400}',
    });
  });

  it("skip a cloudflare server that refuses, does not answer or answers nonsense, and keep the others", async () => {
    const cloudflare = turn({ authMethod: "cloudflare", url: "turn:cf.test" });
    const skippedWith = async (fetch: () => Promise<Response>) => {
      const { iceServers, leftOut } = await iceServersOf(
        { stuns: [], turns: [cloudflare, turn()] },
        { serverTime, fetch },
      );
      expect(iceServers).toHaveLength(1);
      return leftOut.map(({ error }) => error);
    };
    const failed = (status: number) => [{ code: "cloudflare-error", values: { status } }];
    expect(await skippedWith(async () => new Response("", { status: 403 }))).toEqual(failed(403));
    expect(await skippedWith(noFetch)).toEqual(failed(0));
    expect(await skippedWith(async () => new Response("<html>"))).toEqual(failed(200));
  });

  it("reject an unknown method", async () => {
    const server = turn();
    Object.assign(server, { authMethod: "constructor" });
    await expect(resolveTurn(server, { serverTime, fetch: noFetch })).rejects.toMatchObject({
      code: "invalid-turn-method",
    });
  });
});

describe("the configuration of a connection", () => {
  it("has the specification's constants", () => {
    expect(peerConfigurationOf([], { servers: { stuns: [], turns: [] }, relayOnly: false })).toEqual({
      iceServers: [],
      iceCandidatePoolSize: 0,
      bundlePolicy: "max-bundle",
      iceTransportPolicy: "all",
    });
  });

  it("reveals our address to nobody when relay-only is on and the relay's credentials are unavailable", async () => {
    const turns = [turn({ authMethod: "cloudflare" })];
    const configuration = new IceConfiguration({
      options: () => ({ servers: { stuns: [], turns }, relayOnly: true }),
      fetch: noFetch,
      serverTime,
      clock: new FakeClock(),
    });
    expect((await configuration.get()).configuration).toMatchObject({
      iceServers: [],
      iceTransportPolicy: "relay",
    });
  });

  it("dates credentials by our own clock if no server answers, and again by a server's 30 s later", async () => {
    const clock = new FakeClock();
    const serverTime = vi.fn(async (): Promise<number | null> => null);
    const servers = { stuns: [], turns: [turn({ authMethod: "hmac" })] };
    const options = () => ({ servers, relayOnly: false });
    const configuration = new IceConfiguration({ options, fetch: noFetch, serverTime, clock });
    const expiry = async () =>
      Number((await configuration.get()).configuration.iceServers?.[0]?.username?.split(":")[0]) - 86_400;
    expect(await expiry()).toBe(Math.floor(clock.now() / 1_000));
    serverTime.mockResolvedValue(now);
    await clock.advance(29_999);
    await expiry();
    expect(serverTime).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    expect(await expiry()).toBe(now / 1_000);
    await clock.advance(60_000);
    await expiry();
    expect(serverTime).toHaveBeenCalledTimes(2);
  });

  it("fetches credentials once, and again after half their lifetime, for other servers, and 30 s after a failure", async () => {
    const clock = new FakeClock();
    let servers: Servers = { stuns: [], turns: [turn({ authMethod: "cloudflare" })] };
    const ok = () => Response.json({ iceServers: [{ urls: "turn:cf.test" }] });
    const fetch = vi.fn(async () => ok());
    const configuration = new IceConfiguration({
      options: () => ({ servers, relayOnly: false }),
      fetch,
      serverTime,
      clock,
    });
    await configuration.get();
    await configuration.get();
    expect(fetch).toHaveBeenCalledTimes(1);
    await clock.advance(12 * 3_600_000);
    await configuration.get();
    expect(fetch).toHaveBeenCalledTimes(2);
    servers = { ...servers };
    fetch.mockRejectedValueOnce(new TypeError("down"));
    expect((await configuration.get()).configuration).toMatchObject({ iceServers: [] });
    await clock.advance(30_000);
    expect((await configuration.get()).configuration).toMatchObject({
      iceServers: [{ urls: "turn:cf.test" }],
    });
    expect(clock.timerCount).toBe(0);
  });

  it("dates credentials by the server's clock and fetches them again after a sleep, whatever the page's own clock says", async () => {
    const clock = new FakeClock();
    clock.set(Date.UTC(1969, 6, 20));
    const turns = [turn({ authMethod: "hmac" })];
    let time = now;
    const configuration = new IceConfiguration({
      options: () => ({ servers: { stuns: [], turns }, relayOnly: false }),
      fetch: noFetch,
      serverTime: async () => time,
      clock,
    });
    const username = async () => (await configuration.get()).configuration.iceServers?.at(0)?.username;
    expect(await username()).toBe("1700086400:user");
    // Thirteen hours of sleep, in which elapsed time stands still.
    clock.set(clock.now() + 13 * 3_600_000);
    time += 13 * 3_600_000;
    expect(await username()).toBe("1700133200:user");
  });

  it("waits for credentials for at most 4 s", async () => {
    const clock = new FakeClock();
    const fetch = (_url: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      });
    const turns = [turn({ authMethod: "cloudflare" })];
    const options = () => ({ servers: { stuns: ["stun:a.test"], turns }, relayOnly: false });
    const getting = new IceConfiguration({ options, fetch, serverTime, clock }).get();
    await clock.advance(4_000);
    expect((await getting).configuration).toMatchObject({ iceServers: [{ urls: "stun:a.test" }] });
  });
});
