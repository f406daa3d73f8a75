import { describe, expect, it } from "vitest";
import type { TurnServer } from "../settings/options.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { type Access, type DoctorPlatform, diagnose } from "./doctor.ts";
import { doctorReport, inOrder, maskAddresses } from "./report.ts";
import { type DoctorCause, type DoctorVerdict, doctorCauses } from "./verdict.ts";

/** What the servers of a fake network do: report an address, allocate a relay, refuse with a code, or nothing. */
type Answer = "answers" | "silent" | number;

interface FakeNetwork {
  readonly hosts?: readonly string[];
  /** The port that a NAT gives for each server; by default one for all. */
  readonly portFor?: (url: string) => number;
  readonly servers?: Readonly<Record<string, Answer>>;
  /** Null: two connections of this machine do not meet. */
  readonly loopbackBytesPerMs?: number | null;
  /** Whether the browser creates connections at all. */
  readonly isBlocked?: boolean;
}

/** A browser in a network, as far as gathering and one channel go. */
function browserIn(network: FakeNetwork, clock: FakeClock) {
  class FakeChannel extends EventTarget {
    readyState = "connecting";
    bufferedAmount = 0;
    bufferedAmountLowThreshold = 0;
    far: FakeConnection | null = null;
    stop = () => {};
    send(piece: Uint8Array): void {
      this.bufferedAmount += piece.byteLength;
    }
    start(): void {
      const { loopbackBytesPerMs = 8_000 } = network;
      if (loopbackBytesPerMs === null) return;
      const received = new EventTarget();
      this.far?.dispatchEvent(Object.assign(new Event("datachannel"), { channel: received }));
      this.readyState = "open";
      this.dispatchEvent(new Event("open"));
      this.stop = clock.every(100, () => {
        const passed = Math.min(this.bufferedAmount, loopbackBytesPerMs * 100);
        this.bufferedAmount -= passed;
        received.dispatchEvent(Object.assign(new Event("message"), { data: new ArrayBuffer(passed) }));
        this.dispatchEvent(new Event("bufferedamountlow"));
      });
    }
  }
  /** By what describes them. */
  const described = new Map<string, FakeConnection>();
  class FakeConnection extends EventTarget {
    readonly configuration: RTCConfiguration;
    readonly localDescription = { type: "offer", sdp: String(described.size) };
    channel: FakeChannel | null = null;
    #remotes = 0;

    constructor(configuration: RTCConfiguration) {
      super();
      if (network.isBlocked) throw new TypeError("RTCPeerConnection is not a constructor");
      const bad = configuration.iceServers?.find(({ urls }) => String(urls).includes(":99999"));
      if (bad) throw new DOMException(`${String(bad.urls)} is not a valid URL`, "SyntaxError");
      this.configuration = configuration;
      described.set(this.localDescription.sdp, this);
    }
    createDataChannel() {
      this.channel = new FakeChannel();
      return this.channel;
    }
    async setLocalDescription(): Promise<void> {
      clock.after(10, () => this.#gather());
    }
    async setRemoteDescription({ sdp }: RTCSessionDescriptionInit): Promise<void> {
      this.#remotes += 1;
      if (this.channel === null || this.#remotes > 1) return;
      this.channel.far = described.get(sdp ?? "") ?? null;
      this.channel.start();
    }
    async addIceCandidate(): Promise<void> {}
    close(): void {
      this.channel?.stop();
    }

    #gather(): void {
      const { hosts = ["192.168.1.20"], servers = {}, portFor = () => 40_000 } = network;
      const urls = (this.configuration.iceServers ?? []).flatMap((server) => [server.urls].flat());
      if (this.configuration.iceTransportPolicy !== "relay")
        for (const host of hosts) this.#found(host, 50_000, "host");
      const reflexive = new Set<number>();
      for (const url of urls) {
        const answer = servers[url] ?? "silent";
        if (typeof answer === "number")
          this.dispatchEvent(
            Object.assign(new Event("icecandidateerror"), { errorCode: answer, errorText: "Refused" }),
          );
        else if (answer === "answers" && url.startsWith("turn")) this.#found("198.51.100.1", 60_000, "relay");
        else if (answer === "answers" && !reflexive.has(portFor(url))) {
          reflexive.add(portFor(url));
          this.#found("203.0.113.9", portFor(url), "srflx");
        }
      }
      const isSilent = urls.some((url) => (servers[url] ?? "silent") === "silent");
      if (!isSilent) this.dispatchEvent(Object.assign(new Event("icecandidate"), { candidate: null }));
    }
    #found(address: string, port: number, type: string): void {
      const candidate = {
        candidate: `candidate:1 1 udp 1 ${address} ${port} typ ${type} raddr 0.0.0.0 rport 0`,
      };
      this.dispatchEvent(Object.assign(new Event("icecandidate"), { candidate }));
    }
  }
  return (configuration: RTCConfiguration) =>
    new FakeConnection(configuration) as unknown as RTCPeerConnection;
}

const wellPlatform: DoctorPlatform = {
  isSecure: true,
  signalling: { host: "warren.example.org", reach: async () => {} },
  localNetwork: async () => null,
  storage: async () => ({ isDurable: true, isPersisted: true, hasFiles: true, freeBytes: 40 * 1024 ** 3 }),
  devices: async () => "granted",
};

const turnOf = (url: string, change: Partial<TurnServer> = {}): TurnServer => ({
  authMethod: "longterm",
  url,
  username: "ada",
  password: "secret",
  ...change,
});

interface Circumstances {
  readonly network?: FakeNetwork;
  readonly platform?: Partial<DoctorPlatform>;
  readonly stuns?: string[];
  readonly turns?: TurnServer[];
  readonly relays?: RTCIceServer[] | (() => Promise<never>);
}

const never = () => new Promise<never>(() => {});

async function examine({ network = {}, platform = {}, stuns = [], turns = [], relays = [] }: Circumstances) {
  const clock = new FakeClock();
  const createPeerConnection = browserIn(network, clock);
  const reported: DoctorVerdict[] = [];
  let tookMs = Number.NaN;
  const startedAt = clock.elapsedMs();
  const ended = diagnose(
    {
      createPeerConnection,
      clock,
      fetch: () => Promise.reject(new TypeError("no network")),
      serverTime: async () => clock.now(),
      servers: { stuns, turns },
      relays: typeof relays === "function" ? relays : async () => relays,
      platform: { ...wellPlatform, ...platform },
    },
    (verdicts) => reported.push(...verdicts),
  ).then((verdicts) => {
    tookMs = clock.elapsedMs() - startedAt;
    return verdicts;
  });
  await clock.advance(15_000);
  const verdicts = await ended;
  expect(verdicts).toEqual(reported);
  return { verdicts: inOrder(verdicts), causes: verdicts.map(({ cause }) => cause), tookMs };
}

const two = { "stun:a.test": "answers", "stun:b.test": "answers" } as const;
const hostAddress = "192.168.1.7";
const bothStuns = ["stun:a.test", "stun:b.test"];

/** One network, platform or setting for each cause. */
const cases: readonly (readonly [DoctorCause, Circumstances, Record<string, unknown>?])[] = [
  ["page-secure", {}],
  ["page-insecure", { platform: { isSecure: false } }],
  ["signalling-reached", {}, { host: "warren.example.org", time: 0 }],
  [
    "signalling-silent",
    { platform: { signalling: { host: "h", reach: () => Promise.reject(new Error("closed")) } } },
    { host: "h" },
  ],
  ["signalling-silent", { platform: { signalling: { host: "h", reach: never } } }],
  ["webrtc-blocked", { network: { isBlocked: true } }],
  ["addresses-none", { network: { hosts: [] } }],
  ["addresses-hidden", { network: { hosts: ["1f0c3b52-6d5e-4a7b-9c11-0a1b2c3d4e5f.local"] } }, { count: 1 }],
  [
    "addresses-shown",
    { network: { hosts: ["192.168.1.20", "fe80::1"] } },
    { addresses: "192.168.1.20, fe80::1" },
  ],
  ["local-network-asks", { platform: { localNetwork: async () => "prompt" } }],
  ["local-network-blocked", { platform: { localNetwork: async () => "denied" } }],
  ["stun-none", { stuns: ["", " "] }],
  ["stun-answers", { stuns: bothStuns, network: { servers: two } }, { server: "stun:a.test", time: 10 }],
  ["stun-silent", { stuns: bothStuns }, { server: "stun:a.test" }],
  [
    "stun-refused",
    { stuns: ["stun:a.test:99999"] },
    { server: "stun:a.test:99999", reason: "stun:a.test:99999 is not a valid URL" },
  ],
  [
    "stun-refused",
    { stuns: bothStuns, network: { servers: { "stun:a.test": 400 } } },
    { reason: "Refused (400)" },
  ],
  ["nat-none", { network: { hosts: ["203.0.113.9"] }, stuns: ["stun:a.test"] }],
  // Some implementations of WebRTC report it all the same.
  ["nat-none", { stuns: bothStuns, network: { servers: two, hosts: ["203.0.113.9"] } }],
  ["nat-same-port", { stuns: bothStuns, network: { servers: two } }],
  [
    "nat-other-port",
    { stuns: bothStuns, network: { servers: two, portFor: (url) => 40_000 + url.charCodeAt(5) } },
  ],
  // The second port of the only server stands in for a second server.
  [
    "nat-other-port",
    {
      stuns: ["stun:a.test:19302"],
      network: {
        servers: { "stun:a.test:19302": "answers", "stun:a.test:3478": "answers" },
        portFor: (url) => Number(url.split(":")[2]),
      },
    },
  ],
  // And so does a TURN server.
  [
    "nat-same-port",
    {
      stuns: ["stun:a.test:19302"],
      turns: [turnOf("turn:r.test:3479?transport=udp")],
      network: { servers: { "stun:a.test:19302": "answers", "stun:r.test:3479": "answers" } },
    },
  ],
  ["nat-unknown", { stuns: ["stun:a.test"], network: { servers: { "stun:a.test": "answers" } } }],
  ["turn-none", {}],
  [
    "turn-works",
    {
      turns: [turnOf("turn:r.test")],
      network: {
        servers: { "turn:r.test": "answers", "turns:r.test:5349?transport=tcp": "answers" },
      },
    },
    { server: "r.test", ways: "UDP, TLS", time: 10 },
  ],
  [
    "turn-works",
    {
      relays: [{ urls: ["turn:s.test:80?transport=tcp"], username: "u", credential: "c" }],
      network: { servers: { "turn:s.test:80?transport=tcp": "answers" } },
    },
    { server: "s.test", ways: "TCP" },
  ],
  [
    "turn-other-way",
    {
      turns: [turnOf("turn:r.test:3478")],
      network: { servers: { "turn:r.test:3478?transport=tcp": "answers" } },
    },
    { server: "r.test", ways: "TCP" },
  ],
  ["turn-silent", { turns: [turnOf("turn:r.test")] }, { server: "r.test" }],
  [
    "turn-sign-in",
    { turns: [turnOf("turn:r.test")], network: { servers: { "turn:r.test": 401 } } },
    { server: "r.test" },
  ],
  [
    "turn-refused",
    { turns: [turnOf("turn:r.test")], network: { servers: { "turn:r.test": 508 } } },
    { server: "r.test", reason: "Refused (508)" },
  ],
  [
    "turn-refused",
    { turns: [turnOf("turn:cloudflare", { authMethod: "cloudflare" })] },
    { server: "turn:cloudflare", reason: "cloudflare-error" },
  ],
  ["loopback-fast", {}, { speed: 8 }],
  ["loopback-slow", { network: { loopbackBytesPerMs: 1_000 } }, { speed: 1 }],
  ["loopback-fails", { network: { loopbackBytesPerMs: null } }],
  ["storage-good", {}, { free: 40 * 1024 ** 3 }],
  ["storage-small", { platform: { storage: storageOf({ freeBytes: 1_000_000 }) } }, { free: 1_000_000 }],
  ["storage-fleeting", { platform: { storage: storageOf({ isPersisted: false }) } }],
  ["storage-slow", { platform: { storage: storageOf({ hasFiles: false }) } }],
  ["storage-none", { platform: { storage: storageOf({ isDurable: false }) } }],
  ["unanswered", { platform: { storage: never } }],
  ["unanswered", { platform: { devices: never } }],
  ...(["camera", "microphone"] as const).flatMap((kind) =>
    (["allowed", "asks", "blocked", "missing"] as const).map(
      (state) => [`${kind}-${state}`, { platform: { devices: async () => accessOf[state] } }] as const,
    ),
  ),
  [
    "signalling-slow",
    {
      platform: {
        signalling: { host: "h", reach: () => new Promise((resolve) => setTimeout(resolve, 0)) },
      },
    },
  ],
];

const accessOf = {
  allowed: "granted",
  asks: "prompt",
  blocked: "denied",
  missing: "missing",
} as const satisfies Record<string, Access | "missing">;

function storageOf(change: Partial<Awaited<ReturnType<DoctorPlatform["storage"]>>>) {
  return async () => ({ ...(await wellPlatform.storage()), ...change });
}

describe("the connection doctor", () => {
  it.each(cases.filter(([cause]) => cause !== "signalling-slow").map((each) => ({ each, cause: each[0] })))(
    "finds $cause",
    async ({ each: [cause, circumstances, values = {}] }) => {
      const { verdicts, tookMs } = await examine(circumstances);
      expect(verdicts.find((one) => one.cause === cause)?.values).toMatchObject(values);
      expect(tookMs).toBeLessThan(15_000);
    },
  );

  it("finds signalling-slow", async () => {
    const clock = new FakeClock();
    const createPeerConnection = browserIn({}, clock);
    const reach = () => new Promise<void>((resolve) => void clock.after(3_000, resolve));
    const ended = diagnose({
      createPeerConnection,
      ...{
        clock,
        fetch: never,
        serverTime: never,
        servers: { stuns: [], turns: [] },
        relays: async () => [],
      },
      platform: { ...wellPlatform, signalling: { host: "h", reach } },
    });
    await clock.advance(15_000);
    expect(await ended).toContainEqual({
      step: "signalling",
      outcome: "limited",
      cause: "signalling-slow",
      values: { host: "h", time: 3_000 },
    });
  });

  it("has a network or setting here for every cause", () => {
    expect(new Set(cases.map(([cause]) => cause))).toEqual(new Set(doctorCauses.keys()));
  });

  it("is not stopped by one bad entry, nor by a browser that answers nothing", async () => {
    const { causes } = await examine({
      stuns: ["stun:a.test:99999", ...bothStuns],
      turns: [turnOf("turn:bad.test:99999"), turnOf("turn:r.test")],
      network: { servers: { ...two, "turn:r.test": "answers" } },
    });
    for (const cause of ["stun-refused", "stun-answers", "nat-same-port", "turn-refused", "turn-works"])
      expect(causes).toContain(cause);
    expect(causes.filter((cause) => cause === "stun-answers")).toHaveLength(2);

    const dead = await examine({
      stuns: bothStuns,
      turns: [turnOf("turn:r.test")],
      platform: {
        signalling: { host: "h", reach: never },
        localNetwork: never,
        storage: never,
        devices: never,
      },
    });
    expect(dead.tookMs).toBeLessThan(15_000);
    expect(new Set(dead.verdicts.map(({ step }) => step)).size).toBe(10);
  });

  const seenAt = (...ports: number[]) => ports.map((port) => ({ address: "198.51.100.7", port }));
  it.each([
    ["nat-other-port", seenAt(4_000, 4_001)],
    ["nat-same-port", seenAt(4_000, 4_000)],
    ["nat-unknown", seenAt(4_000)],
    ["nat-none", [4_000, 4_000].map((port) => ({ address: hostAddress, port }))],
  ] as const)("finds %s where a connection asks only one server, as in a terminal", async (cause, seen) => {
    const asked: string[][] = [];
    const { causes } = await examine({
      stuns: bothStuns,
      network: { servers: two, hosts: [hostAddress] },
      platform: {
        askFromOneSocket: async (urls) => {
          asked.push([...urls]);
          return seen;
        },
      },
    });
    expect(causes.filter((each) => each.startsWith("nat-"))).toEqual([cause]);
    expect(asked).toEqual([bothStuns]);
  });

  it("finds that connections within a machine fail also where each server is waited for as long as possible", async () => {
    const { causes, tookMs } = await examine({
      stuns: bothStuns,
      turns: [turnOf("turn:r.test")],
      relays: never,
      network: { servers: {}, loopbackBytesPerMs: null },
    });
    for (const cause of ["stun-silent", "turn-silent", "loopback-fails"]) expect(causes).toContain(cause);
    expect(tookMs).toBeLessThan(15_000);
  });

  it("does not wait for a server that never names its relays", async () => {
    const { causes, tookMs } = await examine({
      stuns: bothStuns,
      turns: [turnOf("turn:r.test")],
      relays: never,
      network: { servers: { ...two, "turn:r.test": "silent" } },
    });
    for (const cause of ["nat-same-port", "turn-silent", "loopback-fast"]) expect(causes).toContain(cause);
    expect(tookMs).toBeLessThan(15_000);
  });

  it.each([
    ["turn-works", "turn:r.test:3478?transport=udp", ["udp", "tcp"], { ways: "UDP, TCP" }],
    ["turn-other-way", "turn:r.test:3478?transport=udp", ["tcp"], { ways: "TCP" }],
    ["turn-other-way", "turn:r.test:3478?transport=tcp", ["udp", "tcp"], { ways: "UDP, TCP" }],
    ["turn-sign-in", "turn:r.test:3478?transport=udp", [], { server: "r.test" }],
  ] as const)(
    "finds %s at %s where connections go over UDP only, as in a terminal",
    async (cause, url, answering, values) => {
      const { verdicts } = await examine({
        turns: [turnOf(url)],
        platform: {
          relays: {
            ways: ["UDP"],
            ask: async (relay) => {
              expect(relay).toMatchObject({ username: "ada", password: "secret" });
              return answering.some(
                (way) => relay.url.endsWith(`?transport=${way}`) && relay.url.startsWith("turn:"),
              )
                ? { status: "answered", candidate: "relay", tookMs: 7 }
                : { status: "refused", code: 401, text: "Unauthorized" };
            },
          },
        },
      });
      expect(verdicts.find(({ step }) => step === "turn")).toMatchObject({ cause, values });
    },
  );

  it("says nothing of a page and of devices in a terminal", async () => {
    const { verdicts } = await examine({ platform: { isSecure: null, devices: null, signalling: null } });
    const steps = new Set(verdicts.map(({ step }) => step));
    for (const step of ["page", "camera", "microphone", "signalling"] as const)
      expect(steps.has(step)).toBe(false);
  });
});

describe("the report", () => {
  it("is one line a finding, in order, with its next step and without addresses", async () => {
    const { verdicts } = await examine({ stuns: ["stun:203.0.113.5"], network: { hosts: ["192.168.1.20"] } });
    const text = doctorReport([...verdicts].reverse(), ({ cause, outcome, values }) => ({
      cause: `${cause} ${JSON.stringify(values)}`,
      next: outcome === "good" ? null : "do this",
    }));
    expect(text).toMatch(/^\+ page: page-secure \{\}\n\+ signalling: /);
    expect(text).toContain('- stun: stun-silent {"server":"stun:203.*.*.*"}\n    do this\n');
    expect(text).toContain('"192.*.*.*"');
    expect(text).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
  });

  it.each([
    ["192.168.1.20 and 203.0.113.9:3478", "192.*.*.* and 203.*.*.*:3478"],
    ["turn:[2001:db8::1]:3478", "turn:[2001:*]:3478"],
    ["fe80::1%eth0, ::1", "fe80:*, :*"],
    ["1f0c3b52-6d5e-4a7b-9c11-0a1b2c3d4e5f.local", "*.local"],
    ["stun:stun.example.org:19302 at 10:42:07, 3 ms", "stun:stun.example.org:19302 at 10:42:07, 3 ms"],
  ])("masks %s", (text, masked) => expect(maskAddresses(text)).toBe(masked));
});
