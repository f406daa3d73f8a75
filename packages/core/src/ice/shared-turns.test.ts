import { describe, expect, it, vi } from "vitest";
import type { TurnServer } from "../settings/options.ts";
import { sharedTurnsOf } from "./shared-turns.ts";

const now = 1_700_000_000_000;
const serverTime = async () => now;
const noFetch = () => Promise.reject(new TypeError("no network"));
const turn = (authMethod: TurnServer["authMethod"], change: Partial<TurnServer> = {}): TurnServer => ({
  authMethod,
  url: "turn:relay.test:3478",
  username: "user",
  password: "secret",
  ...change,
});

describe("shared TURN servers", () => {
  it("have credentials of one hour instead of the shared secret", async () => {
    // echo -n 1700003600:user | openssl dgst -sha1 -hmac secret -binary | base64
    expect(await sharedTurnsOf([turn("hmac")], { serverTime, fetch: noFetch })).toEqual({
      turns: [turn("longterm", { username: "1700003600:user", password: "+H9F73rZRi2gwSWIwTpuw+t6m9Q=" })],
      leftOut: [],
    });
  });

  it("have cloudflare credentials of one hour instead of its token, for each relay address", async () => {
    const answer = {
      iceServers: [
        { urls: ["stun:cf.test:3478"] },
        {
          urls: ["stun:cf.test", "turn:cf.test:3478?transport=udp", "turns:cf.test:443"],
          username: "u",
          credential: "c",
        },
      ],
    };
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json(answer, { status: 201 }));
    const { turns, leftOut } = await sharedTurnsOf([turn("cloudflare")], { serverTime, fetch });
    expect(fetch.mock.calls.at(0)?.at(1)).toMatchObject({ body: '{"ttl":3600}' });
    expect(turns).toEqual([
      turn("longterm", { url: "turn:cf.test:3478?transport=udp", username: "u", password: "c" }),
      turn("longterm", { url: "turns:cf.test:443", username: "u", password: "c" }),
    ]);
    expect(leftOut).toEqual([]);
  });

  it("are omitted if no credentials are available, and the others remain", async () => {
    const refused = turn("cloudflare");
    for (const fetch of [
      noFetch,
      async () => new Response("", { status: 403 }),
      async () => Response.json({ iceServers: [] }),
    ]) {
      const { turns, leftOut } = await sharedTurnsOf([refused, turn("hmac")], { serverTime, fetch });
      expect(turns).toHaveLength(1);
      expect(leftOut).toEqual([refused]);
    }
  });

  it("never include permanent credentials, nor servers without a user", async () => {
    const servers = [turn("longterm"), turn("hmac", { username: " " })];
    expect(await sharedTurnsOf(servers, { serverTime, fetch: noFetch })).toEqual({ turns: [], leftOut: [] });
  });
});
