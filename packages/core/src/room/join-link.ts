import { type ClientId, clientIdSchema, roomIdSchema, v } from "@warren/protocol";
import { optionTable, type Servers, serverCountMax } from "../settings/options.ts";

/** The content of a link to a room. */
export interface JoinLink {
  readonly roomId: string;
  /** Null for a room without one. */
  readonly password: string | null;
  readonly servers: Servers;
  /** The client that created the link; null if nobody could verify that. */
  readonly by: ClientId | null;
}

/** An invalid part of a link, which was ignored. */
export type LinkProblem = "room" | "password" | "stun" | "turn" | "turn-method";

/** The join parameters of an address; null for missing ones. */
export interface ReadLink {
  readonly roomId: string | null;
  readonly password: string | null;
  readonly servers: Servers;
  /** The link's creator by its own claim; null also for an invalid client id. */
  readonly by: ClientId | null;
  readonly join: boolean;
  /** Whether it has any join parameter. */
  readonly isLink: boolean;
  readonly problems: readonly LinkProblem[];
  /** The path, query and fragment without the link's parts. */
  readonly cleanAddress: string;
}

const linkKeys = ["id", "pwd", "stun", "turn", "join", "by"] as const;
const passwordLengthMax = 256;

/** Room IDs that are safe in a path: proxies and browsers give dots and slashes their own meaning. */
const pathRoom = /^[\p{L}\p{N}_~-]+$/u;

/**
 * Writes the link to a room: `/r/<room>#<password>.<creator>`, with the creator's id as 22 characters of base64url, short
 * enough for a small QR code. A link with servers, or with a room ID unsafe in a path, has parameters instead. Secrets
 * and the creator are in the fragment, which browsers never send.
 * TURN servers whose password is a master secret (`hmac`, `cloudflare`) are left out.
 * @param home the address of the app, with a slash at its end
 */
export function buildJoinLink(home: string, { roomId, password, servers, by }: JoinLink): string {
  const turns = servers.turns.filter(({ authMethod }) => authMethod === "longterm");
  if (servers.stuns.length + turns.length === 0 && pathRoom.test(roomId)) {
    // The first dot ends the password, so that a link cut short by a messenger still carries it. Symbols
    // allowed in a fragment are not escaped: escapes would make the QR code larger.
    const secret = encodeURIComponent(password ?? "")
      .replaceAll(".", "%2E")
      .replace(/%(24|26|2B|3D|3F|40)/g, decodeURIComponent);
    const creator = by === null ? "" : `.${shortId(by)}`;
    return `${home}r/${encodeURIComponent(roomId)}${secret + creator === "" ? "" : `#${secret}${creator}`}`;
  }
  const query = new URLSearchParams({ id: roomId, join: "true" });
  const fragment = new URLSearchParams();
  if (password !== null) fragment.set("pwd", password);
  if (servers.stuns.length > 0) fragment.set("stun", JSON.stringify(servers.stuns));
  if (turns.length > 0) fragment.set("turn", JSON.stringify(turns));
  if (by !== null) fragment.set("by", by);
  const kept = fragment.toString();
  return `${home}?${query}${kept === "" ? "" : `#${kept}`}`;
}

/** Reads the join parameters of an address, from its fragment first and its query second. Never throws. */
export function readJoinLink(href: string): ReadLink {
  const url = withParameters(new URL(href));
  const fragment = new URLSearchParams(url.hash.slice(1));
  const read = (key: (typeof linkKeys)[number]) => fragment.get(key) ?? url.searchParams.get(key);
  const problems: LinkProblem[] = [];
  const stuns = readStuns(read("stun"), problems);
  const turns = readTurns(read("turn"), problems);
  const join = read("join");
  return {
    isLink: linkKeys.some((key) => read(key) !== null),
    roomId: readRoom(read("id"), problems),
    password: readPassword(read("pwd"), problems),
    servers: { stuns, turns },
    by: readClientId(read("by")),
    join: join !== null && join !== "false",
    problems: [...new Set(problems)],
    cleanAddress: cleanAddress(url, fragment),
  };
}

/** Converts the short form of a link to parameters; returns any other address unchanged. */
function withParameters(url: URL): URL {
  const [path, room] = /\/r\/([^/]*)\/?$/.exec(url.pathname) ?? [];
  if (path === undefined || room === undefined) return url;
  const [secret = "", creator = ""] = url.hash.slice(1).split(".", 2);
  // A name that is cut within an escape is none, while a password that somebody typed may be meant as it is.
  const fragment = new URLSearchParams({
    id: decodedOrNull(room) ?? "",
    join: "true",
    pwd: decoded(secret),
  });
  const by = longId(creator);
  if (by !== null) fragment.set("by", by);
  const long = new URL(url);
  long.pathname = `${url.pathname.slice(0, -path.length)}/`;
  long.hash = fragment.toString();
  return long;
}

/** Decodes percent escapes; returns the text unchanged if they are invalid. */
export function decoded(text: string): string {
  return decodedOrNull(text) ?? text;
}

function decodedOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A client id as base64url of its 16 bytes. */
function shortId(id: ClientId): string {
  const hex = id.replaceAll("-", "");
  const bytes = Array.from({ length: 16 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Parses the short form of a client id; null if it is invalid. */
function longId(short: string): ClientId | null {
  if (!/^[\w-]{22}$/.test(short)) return null;
  const bytes = [...atob(short.replaceAll("-", "+").replaceAll("_", "/"))];
  const hex = bytes.map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return readClientId(id);
}

function readClientId(text: string | null): ClientId | null {
  return v.is(clientIdSchema, text) ? text : null;
}

/** The servers of a link that this browser does not already use. */
export function serversBeyond(own: Servers, link: Servers): Servers {
  return {
    stuns: link.stuns.filter((stun) => !own.stuns.includes(stun)),
    turns: link.turns.filter((turn) => !own.turns.some(({ url }) => url === turn.url)),
  };
}

/** The distinct hosts of servers: `stun:stun.example.org:3478` gives `stun.example.org`. */
export function serverHosts({ stuns, turns }: Servers): readonly string[] {
  const addresses = [...stuns, ...turns.map(({ url }) => url)];
  return [
    ...new Set(addresses.map((address) => address.replace(/^\w+:/, "").replace(/(:\d+)?(\?.*)?$/, ""))),
  ];
}

function readRoom(text: string | null, problems: LinkProblem[]): string | null {
  if (text === null) return null;
  const parsed = v.safeParse(roomIdSchema, text);
  if (!parsed.success) problems.push("room");
  return parsed.success ? parsed.output : null;
}

function readPassword(text: string | null, problems: LinkProblem[]): string | null {
  if (text === null || text === "") return null;
  if (text.length <= passwordLengthMax) return text;
  problems.push("password");
  return null;
}

function readStuns(text: string | null, problems: LinkProblem[]): Servers["stuns"] {
  const stuns = readList(text, "stun", problems).flatMap((entry) => {
    if (typeof entry === "string" && entry.trim() === "") return [];
    const parsed = v.safeParse(optionTable.servers.schema, { stuns: [entry], turns: [] });
    if (!parsed.success) problems.push("stun");
    return parsed.success ? parsed.output.stuns : [];
  });
  return [...new Set(stuns)].slice(0, serverCountMax);
}

function readTurns(text: string | null, problems: LinkProblem[]): Servers["turns"] {
  const turns = readList(text, "turn", problems).flatMap((entry) => {
    if (typeof entry !== "object" || entry === null) {
      problems.push("turn");
      return [];
    }
    const turn = { authMethod: "longterm", username: "", password: "", ...entry };
    if (typeof turn.username === "string" && turn.username.trim() === "") return [];
    if (!turnMethods.has(turn.authMethod)) {
      problems.push("turn-method");
      return [];
    }
    const parsed = v.safeParse(optionTable.servers.schema, { stuns: [], turns: [turn] });
    if (!parsed.success) problems.push("turn");
    return parsed.success ? parsed.output.turns : [];
  });
  return [...new Map(turns.map((turn) => [turn.url, turn])).values()].slice(0, serverCountMax);
}

const turnMethods: ReadonlySet<unknown> = new Set(["hmac", "longterm", "cloudflare"]);

function readList(text: string | null, problem: LinkProblem, problems: LinkProblem[]): readonly unknown[] {
  if (text === null || text === "") return [];
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // Reported below, like JSON that is not a list.
  }
  problems.push(problem);
  return [];
}

function cleanAddress(url: URL, fragment: URLSearchParams): string {
  const clean = new URL(url);
  const inFragment = linkKeys.some((key) => fragment.has(key));
  for (const key of linkKeys) {
    if (clean.searchParams.has(key)) clean.searchParams.delete(key);
    fragment.delete(key);
  }
  const hash = inFragment ? fragment.toString() : clean.hash.slice(1);
  return `${clean.pathname}${clean.search}${hash === "" ? "" : `#${hash}`}`;
}
