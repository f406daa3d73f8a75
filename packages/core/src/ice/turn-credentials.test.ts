import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TurnServer } from "../settings/options.ts";
import { iceServersOf } from "./ice-servers.ts";
import { resolveTurn, type TurnContext } from "./turn-credentials.ts";

const now = 1_700_000_000_000;
const serverTime = async () => now;
const cloudflare: TurnServer = {
  authMethod: "cloudflare",
  url: "turn:turn.cloudflare.com:3478",
  username: "key id/1",
  password: "token",
};
const plain: TurnServer = { authMethod: "longterm", url: "turn:b.test", username: "u", password: "p" };

/** A request that the service received. */
interface Asked {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

describe("credentials from a service over HTTP", () => {
  let answer = { status: 201, body: "" };
  let asked: Asked[] = [];
  const service = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      asked.push({
        method: request.method,
        path: request.url,
        authorization: request.headers.authorization,
        contentType: request.headers["content-type"],
        body,
      });
      response.writeHead(answer.status, { "Content-Type": "application/json" }).end(answer.body);
    });
  });
  let context: TurnContext;

  beforeEach(async () => {
    asked = [];
    service.listen(0, "127.0.0.1");
    await once(service, "listening");
    const address = service.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    // The address is fixed; only its host is redirected to the test service.
    const fetchHere: TurnContext["fetch"] = (url, init) =>
      fetch(url.replace("https://rtc.live.cloudflare.com", `http://127.0.0.1:${address.port}`), init);
    context = { serverTime, fetch: fetchHere };
  });

  afterEach(async () => {
    service.closeAllConnections();
    service.close();
    await once(service, "close");
  });

  it("are requested for one day with the key's path and token, and read from the response", async () => {
    const iceServers = {
      urls: ["stun:cf.test", "turn:cf.test?transport=udp"],
      username: "u",
      credential: "c",
      more: 1,
    };
    answer = { status: 201, body: JSON.stringify({ iceServers }) };
    const { more: _dropped, ...taken } = iceServers;
    expect(await resolveTurn(cloudflare, context)).toEqual([taken]);
    expect(asked).toEqual([
      {
        method: "POST",
        path: "/v1/turn/keys/key%20id%2F1/credentials/generate",
        authorization: "Bearer token",
        contentType: "application/json",
        body: '{"ttl":86400}',
      },
    ]);
  });

  it("may be a list", async () => {
    const iceServers = [{ urls: "stun:cf.test" }, { urls: "turn:cf.test", username: "u", credential: "c" }];
    answer = { status: 200, body: JSON.stringify({ iceServers }) };
    expect(await resolveTurn(cloudflare, context)).toEqual(iceServers);
  });

  it("are refused with 403: the reason names the status, and only that server is left out", async () => {
    answer = { status: 403, body: '{"errors":["forbidden"]}' };
    await expect(resolveTurn(cloudflare, context)).rejects.toThrow(
      "parseTurnServer: cloudflare error response: 403",
    );
    const { iceServers, leftOut } = await iceServersOf({ stuns: [], turns: [cloudflare, plain] }, context);
    expect(iceServers).toEqual([{ urls: "turn:b.test", username: "u", credential: "p" }]);
    const error = { code: "cloudflare-error", values: { status: 403 } };
    expect(leftOut).toEqual([{ url: cloudflare.url, error }]);
  });

  it.each(["", "<html>", "[]", "{}", '{"iceServers":7}', '{"iceServers":[{"username":"u"}]}'])(
    "are not found in a response of %j",
    async (body) => {
      answer = { status: 200, body };
      await expect(resolveTurn(cloudflare, context)).rejects.toThrow(
        "parseTurnServer: cloudflare error response: 200",
      );
    },
  );

  it("are never requested for the other methods", async () => {
    await resolveTurn(plain, context);
    await resolveTurn({ ...plain, authMethod: "hmac" }, context);
    expect(asked).toEqual([]);
  });
});

describe("credentials from a shared secret", () => {
  it("contain their expiry time and the user, and are the secret's HMAC-SHA1 of both", async () => {
    const server: TurnServer = { ...plain, authMethod: "hmac", username: "Zoë", password: "päss wörd" };
    const fetch = () => Promise.reject(new TypeError("no network"));
    const [made] = await resolveTurn(server, { serverTime: async () => now + 999, fetch });
    const username = `${1_700_000_000 + 86_400}:Zoë`;
    expect(made).toEqual({
      urls: "turn:b.test",
      username,
      credential: createHmac("sha1", "päss wörd").update(username).digest("base64"),
    });
  });
});

describe("an unknown method", () => {
  it("is rejected with the specified text", async () => {
    const server = Object.assign({ ...plain }, { authMethod: "kerberos" });
    const fetch = () => Promise.reject(new TypeError("no network"));
    await expect(resolveTurn(server as TurnServer, { serverTime, fetch })).rejects.toThrow(
      "parseTurnServer: invalid method",
    );
  });
});
