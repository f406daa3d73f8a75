import { usableTurns } from "../ice/ice-servers.ts";
import { type AskRelay, checkServer, type ServerCheck, type ServerCheckDeps } from "../ice/server-check.ts";
import { ServerVerdicts } from "../ice/server-verdicts.ts";
import type { Clock } from "../ports/clock.ts";
import type { Servers, TurnServer } from "../settings/options.ts";
import { gatherCandidates, isPublic, reflexive } from "./gathering.ts";
import { measureLoopback } from "./loopback.ts";
import { type DoctorStep, type DoctorVerdict, unanswered, verdict } from "./verdict.ts";

/** After this, what has not answered is given up: the slowest check of a server takes 8 s. */
const serversLimitMs = 9_000;
/** Without the relays of the server by then, the others are examined. */
const relaysLimitMs = 2_500;
const natLimitMs = 2_000;
const limitMs = 14_500;
const addressesLimitMs = 3_000;
const signallingLimitMs = 6_000;

const slowSignallingMs = 2_000;
const slowBytesPerSecond = 5_000_000;
const smallStorageBytes = 1024 ** 3;

/** An address of this machine, as others see it over IPv4. */
export interface SeenAddress {
  readonly address: string;
  readonly port: number;
}

/** How a relay is reached. */
export type RelayWay = "UDP" | "TCP" | "TLS";

/** Whether people let the page use something. */
export type Access = "granted" | "prompt" | "denied";

/** What the doctor asks the platform. Anything may reject, or never answer. */
export interface DoctorPlatform {
  /** Null in a terminal. */
  readonly isSecure: boolean | null;
  /** Null if there is no server of ours. */
  readonly signalling: { readonly host: string; reach(): Promise<void> } | null;
  /** Whether addresses of the local network may be reached; null where nobody is asked. */
  localNetwork(): Promise<Access | null>;
  storage(): Promise<{
    readonly isDurable: boolean;
    readonly isPersisted: boolean;
    /** Whether there is a file system of the page's own, or of the machine. */
    readonly hasFiles: boolean;
    readonly freeBytes: number | null;
  }>;
  /**
   * What STUN servers see of one socket, as far as they answer. Absent where a connection asks all of its servers, and so
   * tells that as well.
   */
  readonly askFromOneSocket?: (urls: readonly string[]) => Promise<readonly SeenAddress[]>;
  /** Absent where connections reach relays every way, and tell what they answer. */
  readonly relays?: { readonly ways: readonly RelayWay[]; readonly ask: AskRelay };
  /** Null in a terminal, which has no calls; `missing` if there is no such device. */
  readonly devices: ((kind: "camera" | "microphone") => Promise<Access | "missing">) | null;
}

/** The dependencies of {@link diagnose}. */
export interface DoctorDeps extends Omit<ServerCheckDeps, "verdicts" | "askRelay"> {
  readonly servers: Servers;
  /** Of the signalling server, signed in. May reject, or never answer. */
  readonly relays: () => Promise<readonly RTCIceServer[]>;
  readonly platform: DoctorPlatform;
}

interface ExaminedDeps extends DoctorDeps, ServerCheckDeps {
  readonly turnGroups: Promise<readonly TurnGroup[]>;
}
type Examination = (deps: ExaminedDeps) => Promise<readonly DoctorVerdict[]>;

/**
 * Finds what stands between this machine and others. Each step answers for itself: one that fails, or that a bad entry of
 * the settings stops, leaves the others alone. Never rejects, and ends within 15 s.
 * @param onVerdicts gets the findings of each step as they are made
 */
export async function diagnose(
  given: DoctorDeps,
  onVerdicts: (verdicts: readonly DoctorVerdict[]) => void = () => {},
): Promise<readonly DoctorVerdict[]> {
  const { clock, platform } = given;
  const deps: ExaminedDeps = {
    ...given,
    ...(platform.relays && { askRelay: platform.relays.ask }),
    verdicts: new ServerVerdicts(given.createPeerConnection),
    turnGroups: within(clock, relaysLimitMs, given.relays)
      .catch(() => [])
      .then((relays) => turnGroups(given.servers, relays)),
  };
  const startedAt = clock.elapsedMs();
  const all: DoctorVerdict[] = [];
  const examine = async (step: DoctorStep, stepLimitMs: number, examination: Examination) => {
    const leftMs = limitMs - (clock.elapsedMs() - startedAt);
    const found = await within(clock, Math.min(stepLimitMs, leftMs), () => examination(deps)).catch(() => [
      unanswered(step),
    ]);
    all.push(...found);
    onVerdicts(found);
  };
  const device =
    (kind: "camera" | "microphone"): Examination =>
    async () => {
      const access = await platform.devices?.(kind);
      return access === undefined ? [] : [verdict(`${kind}-${accessCauses[access]}`)];
    };
  const reached = stunChecks(deps);
  const others = Promise.all([
    examine("page", limitMs, page),
    examine("signalling", signallingLimitMs, signalling),
    examine("addresses", addressesLimitMs * 2, addresses),
    examine("storage", signallingLimitMs, storage),
    examine("camera", signallingLimitMs, device("camera")),
    examine("microphone", signallingLimitMs, device("microphone")),
    examine("stun", serversLimitMs, async () => stun(await reached.configured)),
    examine("nat", relaysLimitMs + serversLimitMs + natLimitMs, async () => [
      await nat(deps, await reached.answering),
    ]),
    examine("turn", relaysLimitMs + serversLimitMs, turn),
  ]);
  // It meets while the others wait, as those may leave it no time, and measures last, which takes all of the processor.
  await Promise.all([others, examine("loopback", limitMs, (examined) => loopback(examined, others))]);
  return all;
}

const accessCauses = { granted: "allowed", prompt: "asks", denied: "blocked", missing: "missing" } as const;

async function within<T>(clock: Clock, limitMs: number, ask: () => Promise<T>): Promise<T> {
  let cancel = (): void => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(Math.max(0, limitMs), () => reject(new Error("no answer")));
  });
  try {
    return await Promise.race([ask(), late]);
  } finally {
    cancel();
  }
}

const page: Examination = async ({ platform: { isSecure } }) =>
  isSecure === null ? [] : [verdict(isSecure ? "page-secure" : "page-insecure")];

const signalling: Examination = async ({ platform, clock }) => {
  const server = platform.signalling;
  if (server === null) return [];
  const { host } = server;
  const startedAt = clock.elapsedMs();
  try {
    await within(clock, signallingLimitMs - 500, () => server.reach());
  } catch {
    return [verdict("signalling-silent", { host })];
  }
  const time = Math.round(clock.elapsedMs() - startedAt);
  return [verdict(time > slowSignallingMs ? "signalling-slow" : "signalling-reached", { host, time })];
};

const addresses: Examination = async ({ createPeerConnection, clock, platform }) => {
  let gathered: Awaited<ReturnType<typeof gatherCandidates>>;
  try {
    gathered = await gatherCandidates(createPeerConnection, [], clock, addressesLimitMs);
  } catch {
    return [verdict("webrtc-blocked")];
  }
  const own = [...new Set(gathered.map(({ address }) => address))];
  const shown = own.filter((address) => !address.endsWith(".local"));
  const found =
    own.length === 0
      ? verdict("addresses-none")
      : shown.length === 0
        ? verdict("addresses-hidden", { count: own.length })
        : verdict("addresses-shown", { addresses: shown.join(", ") });
  const access = await platform.localNetwork().catch(() => null);
  if (access === "denied") return [found, verdict("local-network-blocked")];
  return access === "prompt" ? [found, verdict("local-network-asks")] : [found];
};

type StunCheck = { readonly url: string; readonly check: ServerCheck };

/** Checks all STUN servers at once: those of the settings, and what else may answer, for {@link nat}. */
function stunChecks(deps: ExaminedDeps): {
  readonly configured: Promise<readonly StunCheck[]>;
  /** The addresses of those that answered. */
  readonly answering: Promise<readonly string[]>;
} {
  const own = [...new Set(deps.servers.stuns.map((url) => url.trim()).filter((url) => url !== ""))];
  const check = async (url: string): Promise<StunCheck> => ({ url, check: await checkServer(url, deps) });
  const checkOthers = (urls: readonly string[]) =>
    Promise.all(urls.filter((url) => !own.includes(url)).map(check));
  const configured = Promise.all(own.map(check));
  // Most have a second port, and any TURN server is one as well.
  const secondPorts = checkOthers(own.slice(0, 1).flatMap(secondPort));
  const ofRelays = deps.turnGroups.then((groups) =>
    checkOthers(groups.map(({ urls }) => stunUrlOf(urls.get("UDP") ?? ""))),
  );
  const answering = Promise.all([configured, ofRelays, secondPorts]).then((checks) =>
    checks.flat().flatMap(({ url, check: { status } }) => (status === "answered" ? [url] : [])),
  );
  return { configured, answering };
}

function stunUrlOf(turnUrl: string): string {
  return turnUrl.replace(/^turns?:/i, "stun:").replace(/\?.*$/, "");
}

function secondPort(url: string): string[] {
  const [, scheme, host, port = "3478"] = /^(stun):(\[[^\]]+\]|[^:?]+)(?::(\d+))?$/i.exec(url) ?? [];
  return host === undefined ? [] : [`${scheme}:${host}:${port === "3478" ? "3479" : "3478"}`];
}

function stun(checks: readonly StunCheck[]): readonly DoctorVerdict[] {
  if (checks.length === 0) return [verdict("stun-none")];
  return checks.map(({ url, check }) => stunVerdict(url, check));
}

function stunVerdict(server: string, check: ServerCheck): DoctorVerdict {
  switch (check.status) {
    case "answered":
      return verdict("stun-answers", { server, time: check.tookMs });
    case "silent":
      return verdict("stun-silent", { server });
    case "refused":
      return verdict("stun-refused", { server, reason: refusalOf(check) });
    case "failed":
      return verdict("stun-refused", { server, reason: reasonOf(check) });
  }
}

function refusalOf({ text, code }: Extract<ServerCheck, { status: "refused" }>): string {
  return `${text} (${code})`;
}

function reasonOf({ error }: Extract<ServerCheck, { status: "failed" }>): string {
  const { reason } = error.values;
  return reason === undefined ? error.code : String(reason);
}

/**
 * Whether the network gives this machine one port for everybody, or another one for each address: then nobody can tell
 * which, and two such networks need a relay. Two servers asked from the same sockets show one more address in that case.
 */
async function nat(
  { createPeerConnection, clock, platform }: DoctorDeps,
  answering: readonly string[],
): Promise<DoctorVerdict> {
  const gather = (urls: readonly string[]) =>
    gatherCandidates(
      createPeerConnection,
      urls.map((url) => ({ urls: url })),
      clock,
      natLimitMs - 500,
    );
  const [first, second] = answering;
  if (first === undefined) {
    // A browser leaves out what a server says if that is the machine's own address.
    const isOpen = (await gather([])).some(isPublic);
    return verdict(isOpen ? "nat-none" : "nat-unknown");
  }
  if (second === undefined) return verdict("nat-unknown");
  if (platform.askFromOneSocket) {
    const [hosts, seen] = await Promise.all([gather([]), platform.askFromOneSocket([first, second])]);
    if (seen.length < 2) return verdict("nat-unknown");
    if (seen.every(({ address }) => hosts.some((host) => host.address === address)))
      return verdict("nat-none");
    const places = new Set(seen.map(({ address, port }) => `${address}:${port}`));
    return verdict(places.size > 1 ? "nat-other-port" : "nat-same-port");
  }
  const gathered = await Promise.all([[first], [second], [first, second]].map(gather));
  const own = new Set(gathered.flat().flatMap(({ type, address }) => (type === "host" ? [address] : [])));
  const [ofFirst = 0, ofSecond = 0, ofBoth = 0] = gathered.map((each) => reflexive(each).length);
  if (ofFirst === 0 || ofSecond === 0) return verdict("nat-unknown");
  if (gathered.flatMap(reflexive).every(({ address }) => own.has(address))) return verdict("nat-none");
  return verdict(ofBoth > Math.max(ofFirst, ofSecond) ? "nat-other-port" : "nat-same-port");
}

/** One TURN server, by whichever addresses it is configured. */
interface TurnGroup {
  readonly host: string;
  /** Who signs in. */
  readonly server: TurnServer;
  /** The ways of the configured addresses. */
  readonly configured: Set<RelayWay>;
  readonly urls: Map<RelayWay, string>;
}

/** The TURN servers of the settings, of the link and of the signalling server, with an address for each way. */
function turnGroups(servers: Servers, relays: readonly RTCIceServer[]): readonly TurnGroup[] {
  const offered = relays.flatMap(({ urls, username = "", credential = "" }): TurnServer[] =>
    [urls].flat().map((url) => ({ authMethod: "longterm", url, username, password: credential })),
  );
  const groups = new Map<string, TurnGroup>();
  for (const server of [...usableTurns(servers), ...offered]) {
    // Cloudflare names its addresses only with the credentials.
    if (server.authMethod === "cloudflare") continue;
    const [, scheme, host, port, transport = "udp"] =
      /^(turns?):(\[[^\]]+\]|[^:?]+)(?::(\d+))?(?:\?transport=(udp|tcp))?$/i.exec(server.url) ?? [];
    if (scheme === undefined || host === undefined) continue;
    const isTls = scheme.toLowerCase() === "turns";
    const way: RelayWay = isTls ? "TLS" : transport.toLowerCase() === "tcp" ? "TCP" : "UDP";
    const key = `${host} ${server.username}`;
    const group = groups.get(key) ?? {
      host,
      server,
      configured: new Set(),
      urls: new Map<RelayWay, string>(),
    };
    groups.set(key, group);
    group.configured.add(way);
    const plain = isTls || port === undefined ? "3478" : port;
    group.urls.set("UDP", group.urls.get("UDP") ?? `turn:${host}:${plain}?transport=udp`);
    group.urls.set("TCP", group.urls.get("TCP") ?? `turn:${host}:${plain}?transport=tcp`);
    group.urls.set(
      "TLS",
      group.urls.get("TLS") ?? `turns:${host}:${isTls ? (port ?? "5349") : "5349"}?transport=tcp`,
    );
    group.urls.set(way, server.url);
  }
  return [...groups.values()];
}

const turn: Examination = async (deps) => {
  const groups = await deps.turnGroups;
  const whole = usableTurns(deps.servers).filter(
    (server) => !groups.some((group) => [...group.urls.values()].includes(server.url)),
  );
  if (groups.length + whole.length === 0) return [verdict("turn-none")];
  return await Promise.all([
    ...groups.map((group) => checkGroup(group, deps)),
    ...whole.map(async (server) => ofChecks(server.url, [["UDP", await checkServer(server, deps)]], ["UDP"])),
  ]);
};

async function checkGroup(
  { host, server, configured, urls }: TurnGroup,
  deps: ExaminedDeps,
): Promise<DoctorVerdict> {
  const checks = await Promise.all(
    [...urls].map(async ([way, url]) => [way, await checkServer({ ...server, url }, deps)] as const),
  );
  const ways = deps.platform.relays?.ways;
  return ofChecks(host, checks, [...configured], ways && [...configured].filter((way) => ways.includes(way)));
}

function ofChecks(
  server: string,
  checks: readonly (readonly [RelayWay, ServerCheck])[],
  configured: readonly RelayWay[],
  /** What connections of ours take of these. */
  taken = configured,
): DoctorVerdict {
  const answered = checks.flatMap(([way, check]) => (check.status === "answered" ? [{ way, check }] : []));
  if (answered.length > 0) {
    const ways = answered.map(({ way }) => way).join(", ");
    const time = Math.min(...answered.map(({ check }) => check.tookMs));
    const isUsed = answered.some(({ way }) => taken.includes(way));
    return verdict(isUsed ? "turn-works" : "turn-other-way", { server, ways, time });
  }
  // What the configured address says counts, and not that nobody listens at those which were tried beside it.
  const ofConfigured = checks.filter(([way]) => configured.includes(way)).map(([, check]) => check);
  const refused = [...ofConfigured, ...checks.map(([, check]) => check)].find(
    (check) => check.status === "refused" && [401, 403, 431, 441].includes(check.code),
  );
  if (refused) return verdict("turn-sign-in", { server });
  for (const check of ofConfigured) {
    if (check.status === "refused") return verdict("turn-refused", { server, reason: refusalOf(check) });
    if (check.status === "failed") return verdict("turn-refused", { server, reason: reasonOf(check) });
  }
  return verdict("turn-silent", { server });
}

async function loopback(
  { createPeerConnection, clock }: ExaminedDeps,
  others: Promise<unknown>,
): Promise<readonly DoctorVerdict[]> {
  try {
    const bytesPerSecond = await measureLoopback(createPeerConnection, clock, others);
    const speed = Math.round((10 * bytesPerSecond) / 1_000_000) / 10;
    return [verdict(bytesPerSecond < slowBytesPerSecond ? "loopback-slow" : "loopback-fast", { speed })];
  } catch {
    return [verdict("loopback-fails")];
  }
}

const storage: Examination = async ({ platform }) => {
  const { isDurable, isPersisted, hasFiles, freeBytes } = await platform.storage();
  const values = freeBytes === null ? {} : { free: freeBytes };
  if (!isDurable) return [verdict("storage-none")];
  if (freeBytes !== null && freeBytes < smallStorageBytes) return [verdict("storage-small", values)];
  if (!hasFiles) return [verdict("storage-slow")];
  return [verdict(isPersisted ? "storage-good" : "storage-fleeting", values)];
};
