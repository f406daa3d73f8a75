import { decodeValue, v, WarrenError } from "@warren/protocol";
import { loadPortableCrypto, platformCrypto } from "../handshake/crypto/platform-crypto.ts";
import type { TurnServer } from "../settings/options.ts";

const turnCredentialLifetimeSeconds = 86_400;

/** The context of {@link resolveTurn}. */
export interface TurnContext {
  /**
   * The time for expiries in ms since the epoch, by a server's clock: a relay refuses credentials dated by a wrong
   * clock of the browser. Never rejects.
   */
  readonly serverTime: () => Promise<number>;
  /** The platform's `fetch`. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The lifetime of generated credentials; one day by default. */
  readonly lifetimeSeconds?: number;
}

const urlsSchema = v.union([v.string(), v.array(v.string())]);
const iceServerSchema = v.object({
  urls: urlsSchema,
  username: v.optional(v.string()),
  credential: v.optional(v.string()),
});
const cloudflareAnswerSchema = v.object({ iceServers: v.union([iceServerSchema, v.array(iceServerSchema)]) });

type Resolver = (server: TurnServer, context: TurnContext) => Promise<RTCIceServer[]>;

const resolvers: Readonly<Record<string, Resolver>> = {
  longterm: async ({ url, username, password }) => [{ urls: url, username, credential: password }],
  hmac: async (server, context) => [await hmacCredential(server, context)],
  cloudflare: fetchCloudflareServers,
} satisfies Record<TurnServer["authMethod"], Resolver>;

/**
 * Converts a TURN entry of the settings to the browser's format.
 * @throws WarrenError `invalid-turn-method`, or `cloudflare-error` with the response's status (0 for no response).
 */
export async function resolveTurn(server: TurnServer, context: TurnContext): Promise<RTCIceServer[]> {
  const resolver = Object.hasOwn(resolvers, server.authMethod) ? resolvers[server.authMethod] : undefined;
  if (resolver === undefined) throw new WarrenError("invalid-turn-method");
  return await resolver(server, context);
}

/** Time-limited credentials from a shared secret, as coturn's `use-auth-secret` checks them. */
async function hmacCredential(
  server: TurnServer,
  { serverTime, lifetimeSeconds = turnCredentialLifetimeSeconds }: TurnContext,
): Promise<RTCIceServer> {
  const username = `${Math.floor((await serverTime()) / 1000) + lifetimeSeconds}:${server.username}`;
  const bytes = new TextEncoder();
  const mac = await hmacSha1(bytes.encode(server.password), bytes.encode(username));
  return { urls: server.url, username, credential: btoa(String.fromCharCode(...mac)) };
}

async function hmacSha1(secret: Uint8Array<ArrayBuffer>, text: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = platformCrypto();
  // WebCrypto rejects an empty key.
  if (subtle === undefined || secret.byteLength === 0) {
    const { hmac, sha1 } = await loadPortableCrypto();
    return hmac(sha1, secret, text);
  }
  const key = await subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", key, text));
}

async function fetchCloudflareServers(
  server: TurnServer,
  { fetch, lifetimeSeconds = turnCredentialLifetimeSeconds }: TurnContext,
): Promise<RTCIceServer[]> {
  const keyId = encodeURIComponent(server.username);
  let response: Response;
  try {
    response = await fetch(`https://rtc.live.cloudflare.com/v1/turn/keys/${keyId}/credentials/generate`, {
      method: "POST",
      headers: { Authorization: `Bearer ${server.password}`, "Content-Type": "application/json" },
      body: JSON.stringify({ ttl: lifetimeSeconds }),
    });
  } catch (cause) {
    throw new WarrenError("cloudflare-error", { status: 0 }, { cause });
  }
  if (!response.ok) throw new WarrenError("cloudflare-error", { status: response.status });
  const answer = decodeValue(cloudflareAnswerSchema, await response.json().catch(() => undefined));
  if (!answer.ok)
    throw new WarrenError("cloudflare-error", { status: response.status }, { cause: answer.error });
  return [answer.value.iceServers].flat().map(({ urls, username, credential }) => ({
    urls,
    ...(username !== undefined && { username }),
    ...(credential !== undefined && { credential }),
  }));
}
