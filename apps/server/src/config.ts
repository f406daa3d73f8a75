import { fileURLToPath } from "node:url";
import { defaultFrameRate, limits, v } from "@warren/protocol";
import type { TurnSettings } from "./turn-sign-ins.ts";

/** Settings that cannot be used; `problems` has one sentence for each. */
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

/** Words separated by commas or white space. @param error must not repeat a word that may contain a password */
function list(isUsable: (word: string) => boolean, error: string | ((word: string) => string)) {
  const message = typeof error === "string" ? error : ({ input }: { input: string }) => error(input);
  return v.pipe(
    v.optional(v.string(), ""),
    v.transform((text) => text.split(/[\s,]+/).filter((word) => word !== "")),
    v.array(v.pipe(v.string(), v.check(isUsable, message))),
  );
}

/** Whether browsers accept this as a TURN server: they refuse every connection for one that they do not accept. */
function isRelay(word: string): boolean {
  const [, address = ""] = /^turns?:([^/?#@\\"]+)(?:\?transport=(?:udp|tcp))?$/.exec(word) ?? [];
  // Host and port are those of any URL, but the port may be neither empty nor 0.
  return URL.canParse(`http://${address}`) && !/:0*$/.test(address);
}

/** Without characters that could end a directive of the policy or quote a keyword. */
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
    isRelay,
    (word) =>
      `must list relays such as turn:turn.example.org:3478 or turns:turn.example.org:5349?transport=tcp, which ${word} is not`,
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
  FRAMES_PER_SECOND: whole(defaultFrameRate.perSecond, 1, 100_000),
  FRAME_BURST: whole(defaultFrameRate.burst, 1, 100_000),
  MAX_LAG_MS: whole(200, 10, 60_000),
});

/** The name of every variable that is read. */
export const settingNames: readonly string[] = Object.keys(environmentSchema.entries);

type Environment = v.InferOutput<typeof environmentSchema>;

/** Combinations of valid settings that are invalid together: the message and condition of each. */
const combinations: readonly (readonly [sentence: string, isMistaken: (values: Environment) => boolean])[] = [
  [
    // Through a proxy, a foreign server could forward its own Host together with the proofs of its visitors.
    "TRUSTED_PROXY_HOPS is set, so this server has to know by which name browsers reach it: set SERVER_NAMES, such as warren.example.org, or ALLOWED_ORIGINS, such as https://warren.example.org.",
    ({ TRUSTED_PROXY_HOPS: hops, SERVER_NAMES: names, ALLOWED_ORIGINS: origins }) =>
      hops > 0 && names.length === 0 && origins.length === 0,
  ],
  [
    // Without it, nodes reject each other's tokens, and a client that moves loses its place.
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

/** Names up to this length are too short for typo suggestions. */
const shortName = 6;

/** A sentence for each variable whose name looks like a misspelt setting. */
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

/** The Levenshtein distance of two words. */
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
  /** Absent if not set. */
  readonly logLevel?: Environment["LOG_LEVEL"];
  /** Origins that may open a socket; when empty, only pages of the host they connect to. */
  readonly allowedOrigins: readonly string[];
  /**
   * Hosts under which clients may reach this server, with any unusual port; when empty, the host of the page's origin. A
   * client signs the name it used, so another server cannot replay the proof here.
   */
  readonly serverNames: readonly string[];
  /** The number of our proxies: the client's address is the entry that far from the right in X-Forwarded-For. */
  readonly trustedProxyHops: number;
  /** The files of the server's certificate; without them it speaks plain http. */
  readonly tls?: CertificateFiles | undefined;
  /** The port that redirects http to https; absent without a redirect. */
  readonly httpPort?: number | undefined;
  /** The folder of the built web app. */
  readonly webRoot: string;
  /** The app's path on its host, with a slash at both ends; absent to use that of the built web app. */
  readonly basePath?: string | undefined;
  /** Further sources for the page's `connect-src`. */
  readonly connectSources: readonly string[];
  /** Sources from which pictures of people may be loaded. */
  readonly imageSources: readonly string[];
  /** TURN relays; members of rooms receive credentials for them. */
  readonly turn: TurnSettings;
  /** The Redis servers through which several processes share their rooms; when empty, rooms live in this process. */
  readonly redisUrls: readonly string[];
  /** The key of resume tokens; by default each process creates one. */
  readonly resumeKey?: string | undefined;
  /** Where metrics are served; absent if they are not. */
  readonly metrics?: { readonly port: number; readonly host: string } | undefined;
  /** Clients are asked to move within this time when the server stops. */
  readonly drainMs: number;
  readonly limits: ServerLimits;
}

/** The limits of the process, an address, a room or a socket. */
export interface ServerLimits {
  readonly sockets: number;
  readonly httpConnections: number;
  readonly socketsPerAddress: number;
  readonly newSocketsPerSecond: number;
  readonly newRoomsPer10Min: number;
  readonly httpConnectionsPerAddress: number;
  /** Loopback and private addresses have the four limits above, and that of guesses, multiplied by this. */
  readonly privateAddressFactor: number;
  readonly roomMembers: number;
  readonly framesPerSecond: number;
  readonly frameBurst: number;
  readonly lagMs: number;
}

/**
 * Reads the settings from environment variables; empty variables count as absent.
 * @throws ConfigError with a sentence for each unusable variable.
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
