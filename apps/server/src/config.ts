import { fileURLToPath } from "node:url";
import { limits, v } from "@warren/protocol";
import type { TurnSettings } from "./turn-sign-ins.ts";

/** The settings a person gave are not usable; `problems` has one sentence for each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

function whole(fallback: number, min: number, max: number) {
  return v.pipe(v.optional(v.string(), String(fallback)), ...wholeFrom(min, max));
}

function wholeOrNone(min: number, max: number) {
  return v.optional(v.pipe(v.string(), ...wholeFrom(min, max)));
}

function wholeFrom(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return [
    v.transform((text: string) => (/^\d{1,12}$/.test(text) ? Number(text) : -1)),
    v.check((number: number) => number >= min && number <= max, error),
  ] as const;
}

function secret(minLength: number) {
  const error = `must have at least ${minLength} characters`;
  return v.optional(
    v.pipe(
      v.string(),
      v.check((text) => [...text].length >= minLength, error),
    ),
  );
}

/** Words separated by commas or white space. */
function list(isUsable: (word: string) => boolean, error: string) {
  return v.pipe(
    v.optional(v.string(), ""),
    v.transform((text) => text.split(/[\s,]+/).filter((word) => word !== "")),
    v.array(v.pipe(v.string(), v.check(isUsable, error))),
  );
}

/** Nothing that could end a directive of the policy, or mean more than an address. */
function isSource(word: string): boolean {
  return /^[^;"']+$/.test(word);
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const environmentSchema = v.object({
  PORT: whole(8080, 0, 65_535),
  HOST: v.optional(v.string(), "0.0.0.0"),
  LOG_LEVEL: v.optional(v.picklist(logLevels, `must be one of ${logLevels.join(", ")}`)),
  ALLOWED_ORIGINS: list(
    (word) => /^https?:\/\/[^/]+$/.test(word) && URL.canParse(word),
    "must list origins such as https://warren.example.org, without a path",
  ),
  SERVER_NAMES: list(
    (word) => /^[0-9A-Za-z.:[\]_-]{1,255}$/.test(word),
    "must list hosts such as warren.example.org, with the port where it is not the usual one",
  ),
  TRUSTED_PROXY_HOPS: whole(0, 0, 10),
  TLS_CERT: v.optional(v.string()),
  TLS_KEY: v.optional(v.string()),
  HTTP_PORT: wholeOrNone(0, 65_535),
  BASE_PATH: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^\/(?:(?!\.{1,2}\/)[\w.~-]+\/)*$/,
        "must be a path such as /warren/, with a slash at both ends",
      ),
    ),
  ),
  WEB_ROOT: v.optional(v.string(), fileURLToPath(new URL("../../web/dist", import.meta.url))),
  CONNECT_SRC: list(isSource, "must list sources such as wss://signal.example.org"),
  IMG_SRC: list(isSource, "must list sources such as https://pictures.example.org"),
  REDIS_URL: list(
    (word) => /^rediss?:\/\//.test(word) && URL.canParse(word),
    "must list addresses such as redis://127.0.0.1:6379",
  ),
  TURN_URLS: list(
    (word) => /^turns?:[^\s/?"\\]+(?:\?transport=(?:udp|tcp))?$/.test(word),
    "must list relays such as turn:turn.example.org:3478 or turns:turn.example.org:5349?transport=tcp",
  ),
  TURN_SECRET: secret(16),
  RESUME_KEY: secret(32),
  METRICS_PORT: wholeOrNone(0, 65_535),
  METRICS_HOST: v.optional(v.string(), "127.0.0.1"),
  DRAIN_MS: whole(20_000, 0, 25_000),
  MAX_SOCKETS: whole(20_000, 1, 1_000_000),
  MAX_SOCKETS_PER_ADDRESS: whole(20, 1, 1_000_000),
  MAX_NEW_SOCKETS_PER_SECOND: whole(5, 1, 1_000_000),
  MAX_NEW_ROOMS_PER_10_MIN: whole(20, 1, 1_000_000),
  MAX_HTTP_CONNECTIONS: whole(1_000, 1, 1_000_000),
  MAX_HTTP_CONNECTIONS_PER_ADDRESS: whole(240, 1, 1_000_000),
  PRIVATE_ADDRESS_FACTOR: whole(50, 1, 10_000),
  MAX_ROOM_MEMBERS: whole(32, 2, limits.roomMembers),
  FRAMES_PER_SECOND: whole(40, 1, 100_000),
  FRAME_BURST: whole(150, 1, 100_000),
  MAX_LAG_MS: whole(200, 10, 60_000),
});

/** The name of every variable that is read. */
export const settingNames: readonly string[] = Object.keys(environmentSchema.entries);

type Environment = v.InferOutput<typeof environmentSchema>;

/** Settings that are valid alone and not together: each with its warning and condition. */
const combinations: readonly (readonly [sentence: string, isMistaken: (values: Environment) => boolean])[] = [
  [
    // A proxy hands on whatever Host a stranger's server names, and with it what that server's visitors sign.
    "TRUSTED_PROXY_HOPS is set, so this server has to know by which name browsers reach it: set SERVER_NAMES, such as warren.example.org, or ALLOWED_ORIGINS, such as https://warren.example.org.",
    ({ TRUSTED_PROXY_HOPS: hops, SERVER_NAMES: names, ALLOWED_ORIGINS: origins }) =>
      hops > 0 && names.length === 0 && origins.length === 0,
  ],
  [
    // Without it a node takes the tokens of another for forged, and a client that moves has lost its place.
    "REDIS_URL is set, so several processes share their rooms: set RESUME_KEY to the same secret of at least 32 characters for all of them.",
    ({ REDIS_URL, RESUME_KEY }) => REDIS_URL.length > 0 && RESUME_KEY === undefined,
  ],
  [
    "TLS_CERT and TLS_KEY go together: the files of a certificate and of its private key, in PEM form.",
    ({ TLS_CERT, TLS_KEY }) => (TLS_CERT === undefined) !== (TLS_KEY === undefined),
  ],
  [
    "HTTP_PORT leads from http to https, so it goes with TLS_CERT and TLS_KEY: without them set PORT alone.",
    ({ TLS_CERT, HTTP_PORT }) => HTTP_PORT !== undefined && TLS_CERT === undefined,
  ],
  [
    "TURN_URLS and TURN_SECRET go together: the addresses of your relays, and the static-auth-secret of their coturn.",
    ({ TURN_URLS, TURN_SECRET }) => TURN_URLS.length > 0 !== (TURN_SECRET !== undefined),
  ],
  [
    `TURN_URLS must list at most ${limits.turnUrls} relays.`,
    ({ TURN_URLS }) => TURN_URLS.length > limits.turnUrls,
  ],
];

/** Names that are too short to tell a slip from a word of its own. */
const shortName = 6;

/** A sentence for each variable that is no setting and whose name is nearly one's. */
export function misspeltSettings(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const others = Object.keys(env).filter((name) => !settingNames.includes(name));
  return others.flatMap((name) => {
    const meant = settingNames.find(
      (setting) =>
        setting.length > shortName &&
        (name.startsWith(`${setting}_`) || editDistance(name.toUpperCase(), setting) <= 2),
    );
    return meant ? [`${name} is not a setting: ${meant} may be meant.`] : [];
  });
}

/** How many letters have to be put in, left out or replaced to make one word of the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [index, other] of [...to].entries()) {
      const replaced = (row[index] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** PEM files: a certificate followed by those of its issuers, and its private key. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Every setting of the server. */
export interface ServerConfig {
  readonly port: number;
  readonly host: string;
  /** Absent when the person did not choose one. */
  readonly logLevel?: Environment["LOG_LEVEL"];
  /** Origins that may open a socket; when empty, only pages of the very host they connect to. */
  readonly allowedOrigins: readonly string[];
  /**
   * Hosts, with a port where it is not the usual one, under which clients may reach this server; when empty, the host
   * of the page's origin. A client signs the name it used, so a server it trusts less cannot pass for it here.
   */
  readonly serverNames: readonly string[];
  /** How many proxies of our own stand in front: the client's address is that many from the right in X-Forwarded-For. */
  readonly trustedProxyHops: number;
  /** The files of the server's own certificate; without them it speaks plain http. */
  readonly tls?: CertificateFiles | undefined;
  /** Where requests by plain http are led to https; absent when they are not. */
  readonly httpPort?: number | undefined;
  /** The folder of the built web app. */
  readonly webRoot: string;
  /** Where the app is on its host, with a slash at both ends; absent to take it from the built web app. */
  readonly basePath?: string | undefined;
  /** Further sources for the page's `connect-src`. */
  readonly connectSources: readonly string[];
  /** Where a person's own picture may come from by its address. */
  readonly imageSources: readonly string[];
  /** Relays whose sign-ins members of rooms are given; none without addresses. */
  readonly turn: TurnSettings;
  /** The Redis servers over which several processes share their rooms; when empty, rooms live in this process alone. */
  readonly redisUrls: readonly string[];
  /** The secret behind resume tokens; without one each process makes its own. */
  readonly resumeKey?: string | undefined;
  /** Where metrics are served; absent when they are not. */
  readonly metrics?: { readonly port: number; readonly host: string } | undefined;
  /** Clients are asked to move within this time when the server stops. */
  readonly drainMs: number;
  readonly limits: ServerLimits;
}

/** What one process, address, room or socket may take. */
export interface ServerLimits {
  readonly sockets: number;
  readonly httpConnections: number;
  readonly socketsPerAddress: number;
  readonly newSocketsPerSecond: number;
  readonly newRoomsPer10Min: number;
  readonly httpConnectionsPerAddress: number;
  /** Loopback and private addresses may take this many times the four limits above, and as many guesses more. */
  readonly privateAddressFactor: number;
  readonly roomMembers: number;
  readonly framesPerSecond: number;
  readonly frameBurst: number;
  readonly lagMs: number;
}

/**
 * Reads the settings from environment variables; an empty variable counts as absent.
 * @throws ConfigError naming every variable that is not usable.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ServerConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = v.safeParse(environmentSchema, given, { abortEarly: false });
  if (!parsed.success) {
    throw new ConfigError(parsed.issues.map((issue) => `${String(issue.path?.[0]?.key)} ${issue.message}.`));
  }
  const values = parsed.output;
  const { TLS_CERT: certFile, TLS_KEY: keyFile } = values;
  const problems = combinations.filter(([, isMistaken]) => isMistaken(values)).map(([sentence]) => sentence);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    port: values.PORT,
    host: values.HOST,
    logLevel: values.LOG_LEVEL,
    allowedOrigins: values.ALLOWED_ORIGINS.map((origin) => new URL(origin).origin),
    serverNames: values.SERVER_NAMES.map((name) => name.toLowerCase()),
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    tls: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
    httpPort: values.HTTP_PORT,
    webRoot: values.WEB_ROOT,
    basePath: values.BASE_PATH,
    connectSources: values.CONNECT_SRC,
    imageSources: values.IMG_SRC.length > 0 ? values.IMG_SRC : ["https:"],
    turn: { urls: values.TURN_URLS, secret: values.TURN_SECRET ?? "" },
    redisUrls: values.REDIS_URL,
    resumeKey: values.RESUME_KEY,
    metrics:
      values.METRICS_PORT === undefined
        ? undefined
        : { port: values.METRICS_PORT, host: values.METRICS_HOST },
    drainMs: values.DRAIN_MS,
    limits: {
      sockets: values.MAX_SOCKETS,
      socketsPerAddress: values.MAX_SOCKETS_PER_ADDRESS,
      newSocketsPerSecond: values.MAX_NEW_SOCKETS_PER_SECOND,
      newRoomsPer10Min: values.MAX_NEW_ROOMS_PER_10_MIN,
      httpConnections: values.MAX_HTTP_CONNECTIONS,
      httpConnectionsPerAddress: values.MAX_HTTP_CONNECTIONS_PER_ADDRESS,
      privateAddressFactor: values.PRIVATE_ADDRESS_FACTOR,
      roomMembers: values.MAX_ROOM_MEMBERS,
      framesPerSecond: values.FRAMES_PER_SECOND,
      frameBurst: values.FRAME_BURST,
      lagMs: values.MAX_LAG_MS,
    },
  };
}
