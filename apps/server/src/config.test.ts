import { describe, expect, it } from "vitest";
import { ConfigError, misspeltSettings, readConfig } from "./config.ts";

function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("readConfig", () => {
  it("needs no variables", () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      host: "0.0.0.0",
      logLevel: undefined,
      allowedOrigins: [],
      trustedProxyHops: 0,
      drainMs: 20_000,
      limits: {
        sockets: 20_000,
        socketsPerAddress: 20,
        roomMembers: 32,
        framesPerSecond: 40,
        frameBurst: 150,
      },
    });
    expect(readConfig({}).imageSources).toEqual(["https:"]);
    expect(readConfig({}).webRoot).toMatch(/apps\/web\/dist$/);
  });

  it("reads variables, and treats empty ones as absent", () => {
    const config = readConfig({
      PORT: "9000",
      HOST: " ",
      LOG_LEVEL: "debug",
      ALLOWED_ORIGINS: "https://warren.example.org, http://localhost:5173",
      TRUSTED_PROXY_HOPS: "1",
      CONNECT_SRC: "wss://signal.example.org https://turn.example.org",
      IMG_SRC: "https://pictures.example.org",
      MAX_ROOM_MEMBERS: "",
    });
    expect(config).toMatchObject({
      port: 9000,
      host: "0.0.0.0",
      logLevel: "debug",
      allowedOrigins: ["https://warren.example.org", "http://localhost:5173"],
      trustedProxyHops: 1,
      connectSources: ["wss://signal.example.org", "https://turn.example.org"],
      imageSources: ["https://pictures.example.org"],
      limits: { roomMembers: 32 },
    });
  });

  it("starts behind a proxy only with SERVER_NAMES or ALLOWED_ORIGINS, and reports that", () => {
    expect(problems({ TRUSTED_PROXY_HOPS: "1" })[0]).toContain("set SERVER_NAMES");
    expect(problems({ TRUSTED_PROXY_HOPS: "1", SERVER_NAMES: "warren.example.org" })).toEqual([]);
    expect(problems({ TRUSTED_PROXY_HOPS: "1", ALLOWED_ORIGINS: "https://warren.example.org" })).toEqual([]);
  });

  it("shares rooms over Redis only with RESUME_KEY, and reports that", () => {
    const RESUME_KEY = "k".repeat(32);
    expect(problems({ REDIS_URL: "redis://10.0.0.5:6379" })[0]).toContain("set RESUME_KEY");
    const { redisUrls } = readConfig({ REDIS_URL: "redis://a:1, rediss://u:p@b:2/1", RESUME_KEY });
    expect(redisUrls).toEqual(["redis://a:1", "rediss://u:p@b:2/1"]);
  });

  it("accepts relays only together with their secret, and reports that", () => {
    const [TURN_URLS, TURN_SECRET] = ["turn:a.test:3478 turns:b.test?transport=tcp", "s".repeat(16)];
    expect(readConfig({ TURN_URLS, TURN_SECRET }).turn).toEqual({
      urls: ["turn:a.test:3478", "turns:b.test?transport=tcp"],
      secret: TURN_SECRET,
    });
    for (const env of [{ TURN_URLS }, { TURN_SECRET }])
      expect(problems(env)[0]).toContain("TURN_URLS and TURN_SECRET go together");
    const nine = Array.from({ length: 9 }, (_, number) => `turn:${number}.test`).join();
    expect(problems({ TURN_URLS: nine, TURN_SECRET })).toEqual(["TURN_URLS must list at most 8 relays."]);
  });

  it("names the relay whose address no browser accepts", () => {
    const TURN_URLS = "turn:a.test turn:[2001:db8::1]:3478 turns:b.test:5349?transport=tcp turn:c.test:99999";
    expect(problems({ TURN_URLS, TURN_SECRET: "s".repeat(16) })).toEqual([
      "TURN_URLS must list relays such as turn:turn.example.org:3478 or turns:turn.example.org:5349?transport=tcp, which turn:c.test:99999 is not.",
    ]);
  });

  it("accepts a certificate only together with its key, and reports that", () => {
    const [TLS_CERT, TLS_KEY] = ["/etc/warren/cert.pem", "/etc/warren/key.pem"];
    expect(readConfig({ TLS_CERT, TLS_KEY }).tls).toEqual({ certFile: TLS_CERT, keyFile: TLS_KEY });
    for (const env of [{ TLS_CERT }, { TLS_KEY }])
      expect(problems(env)[0]).toContain("TLS_CERT and TLS_KEY go together");
    expect(readConfig({ TLS_CERT, TLS_KEY, HTTP_PORT: "80" }).httpPort).toBe(80);
    expect(problems({ HTTP_PORT: "80" })[0]).toContain("goes with TLS_CERT and TLS_KEY");
  });

  it("names all unusable variables and their allowed values", () => {
    expect(
      problems({ PORT: "http", LOG_LEVEL: "loud", RESUME_KEY: "short", MAX_ROOM_MEMBERS: "257" }),
    ).toEqual([
      "PORT must be a whole number from 0 to 65535.",
      "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.",
      "RESUME_KEY must have at least 32 characters.",
      "MAX_ROOM_MEMBERS must be a whole number from 2 to 256.",
    ]);
  });

  it("names all settings that are invalid together with others", () => {
    expect(
      problems({
        TRUSTED_PROXY_HOPS: "1",
        REDIS_URL: "redis://a:1",
        TLS_KEY: "/k",
        TURN_SECRET: "s".repeat(16),
      }),
    ).toEqual(
      [/SERVER_NAMES/, /RESUME_KEY/, /TLS_CERT/, /TURN_URLS/].map((name) => expect.stringMatching(name)),
    );
  });

  it("suggests the setting for a misspelt variable", () => {
    expect(
      misspeltSettings({
        TURN_URL: "turn:a.test",
        ALLOWED_ORIGIN: "https://a.test",
        TRUST_PROXY_HOPS: "1",
        server_names: "a.test",
        RESUME_KEY_FILE: "/run/secrets/key",
      }),
    ).toEqual([
      "TURN_URL is not a setting: TURN_URLS may be meant.",
      "ALLOWED_ORIGIN is not a setting: ALLOWED_ORIGINS may be meant.",
      "TRUST_PROXY_HOPS is not a setting: TRUSTED_PROXY_HOPS may be meant.",
      "server_names is not a setting: SERVER_NAMES may be meant.",
      "RESUME_KEY_FILE is not a setting: RESUME_KEY may be meant.",
    ]);
  });

  it("reports neither settings nor variables that every process has", () => {
    const common =
      "HOME HOSTNAME HOSTTYPE LANG LOGNAME MAIL OLDPWD PATH PWD SHELL TERM TZ USER NODE_ENV NODE_OPTIONS";
    const others =
      "INVOCATION_ID JOURNAL_STREAM KUBERNETES_PORT WARREN_PORT WARREN_SERVICE_HOST SSL_CERT_FILE";
    const names = [
      ...`${common} ${others}`.split(" "),
      "MAX_SOCKETS",
      "MAX_SOCKETS_PER_ADDRESS",
      "METRICS_PORT",
    ];
    expect(misspeltSettings(Object.fromEntries(names.map((name) => [name, "1"])))).toEqual([]);
  });

  it.each([
    { TRUSTED_PROXY_HOPS: "1" },
    { PORT: "-1" },
    { PORT: "1e3" },
    { PORT: "80.5" },
    { DRAIN_MS: "26000" },
    { ALLOWED_ORIGINS: "warren.example.org" },
    { ALLOWED_ORIGINS: "https://warren.example.org/path" },
    { ALLOWED_ORIGINS: "https://[" },
    { ALLOWED_ORIGINS: "https://warren.example.org:99999" },
    { TURN_URLS: "https://turn.example.org", TURN_SECRET: "s".repeat(16) },
    { TURN_URLS: 'turn:a.test"x', TURN_SECRET: "s".repeat(16) },
    ...["turn:", "turn::3478", "turn:a.test:", "turn:a.test:0", "turn:a.test:99999", "turn:a.test:34 78"].map(
      (TURN_URLS) => ({ TURN_URLS, TURN_SECRET: "s".repeat(16) }),
    ),
    ...[
      "stun:a.test",
      "turn:a.test?transport=sctp",
      "turn:a:b:1",
      "turn:[1::2",
      "turn:[zz]",
      "turn:u@a.test",
    ].map((TURN_URLS) => ({ TURN_URLS, TURN_SECRET: "s".repeat(16) })),
    { TURN_URLS: "turn:a.test", TURN_SECRET: "short" },
    { REDIS_URL: "10.0.0.5:6379" },
    { REDIS_URL: "https://10.0.0.5:6379" },
    { CONNECT_SRC: "wss://a; script-src *" },
    { CONNECT_SRC: "'unsafe-inline'" },
    { BASE_PATH: "/warren" },
    { BASE_PATH: "warren/" },
    { BASE_PATH: "//evil.example/" },
    { BASE_PATH: "/../" },
    { BASE_PATH: "/a/./" },
    { IMG_SRC: "https:; script-src *" },
  ])("refuses %o", (env) => {
    expect(problems(env)).toHaveLength(1);
  });
});
