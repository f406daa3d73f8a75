import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { type Auth, segmentsOf } from "./database-rules.ts";
import { RulesDatabase, type Sent } from "./rules-database.ts";

const rulesFile = new URL("../../../../../deploy/firebase/database.rules.json", import.meta.url);
const host = "127.0.0.1";
/** What the SDK puts into one frame of a socket. */
const frameLength = 16_384;

/** The body of a request of the SDK: a path, data, and a query that is not used here. */
interface Body {
  readonly p?: string;
  readonly d?: Sent;
  readonly cred?: string;
}

interface Request {
  readonly r: number;
  readonly a: string;
  readonly b: Body;
}

/**
 * A double of what a Firebase project offers: the wire of the Realtime Database (version 5, over a socket), behind the rules of
 * deploy/firebase, and the anonymous accounts of Firebase Authentication. The SDK talks to it as to the emulators.
 * It was written from the SDK's source; nothing here has met Google's servers.
 */
export class FirebaseDouble {
  readonly database = new RulesDatabase(readFileSync(rulesFile, "utf8"));
  /** Everything that was written through it, oldest first. */
  readonly written: Readonly<Record<string, Sent>>[] = [];
  readonly #sockets = new Set<DatabaseConnection>();
  #server: Server | null = null;
  #port = 0;
  #accounts = 0;
  readonly #blocked = new Set<string>();

  /** Starts it; again on the same port after {@link stop}. */
  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    const sockets = new WebSocketServer({ server });
    sockets.on("connection", (socket) => {
      const connection = new DatabaseConnection(socket, `${host}:${this.#port}`, this);
      this.#sockets.add(connection);
      socket.on("close", () => {
        this.#sockets.delete(connection);
        connection.end();
      });
    });
    server.listen(this.#port, host);
    await once(server, "listening");
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  get databaseUrl(): string {
    return `http://${host}:${this.#port}/?ns=warren`;
  }

  get accountsUrl(): string {
    return `http://${host}:${this.#port}`;
  }

  /** The accounts that are connected. */
  get connected(): string[] {
    return [...this.#sockets].flatMap(({ auth }) => auth?.uid ?? []);
  }

  /** Ends the connections of an account, or all, without a word of theirs. */
  drop(uid?: string): void {
    for (const connection of this.#sockets)
      if (uid === undefined || connection.auth?.uid === uid) connection.cut();
  }

  /** Keeps an account away from now on: its machine has gone. */
  block(uid: string): void {
    this.#blocked.add(uid);
    this.drop(uid);
  }

  isBlocked(uid: string): boolean {
    return this.#blocked.has(uid);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = once(server, "close");
    server.close();
    this.drop();
    server.closeAllConnections();
    await closed;
  }

  /** Writes if the rules allow it, and reports it to everybody who listens. */
  write(auth: Auth, changes: Readonly<Record<string, Sent>>): boolean {
    if (!this.database.write(auth, changes)) return false;
    this.written.push(changes);
    for (const connection of this.#sockets) connection.notify(Object.keys(changes));
    return true;
  }

  /** Removes a folder, whatever the rules say. */
  erase(path: string): void {
    this.database.seed(path, null);
    for (const connection of this.#sockets) connection.notify([path]);
  }

  /** The calls of the SDK to Firebase Authentication: a new account, who it is, a new token. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const part of request) text += String(part);
    const path = new URL(request.url ?? "/", this.accountsUrl).pathname;
    const uid = /"?(?:idToken|refresh_token)"?[":=]+(?:[\w-]+\.)?([\w-]+)/.exec(text)?.[1];
    const known = uid === undefined ? "" : uidOf(`.${uid}.`);
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Headers", "*");
    response.setHeader("Content-Type", "application/json");
    if (request.method === "OPTIONS") response.end();
    else if (path.endsWith("accounts:signUp")) {
      this.#accounts += 1;
      const localId = `account${this.#accounts}`;
      const idToken = tokenOf(localId);
      response.end(JSON.stringify({ idToken, refreshToken: idToken, expiresIn: "3600", localId }));
    } else if (path.endsWith("accounts:lookup"))
      response.end(JSON.stringify({ users: [{ localId: known, createdAt: "0", lastLoginAt: "0" }] }));
    else if (path.endsWith("/token")) {
      const token = tokenOf(known);
      const answer = { id_token: token, access_token: token, refresh_token: token, user_id: known };
      response.end(JSON.stringify({ ...answer, expires_in: "3600", token_type: "Bearer" }));
    } else response.writeHead(404).end();
  }
}

/** A token as the emulator of Firebase Authentication makes it: not signed. */
function tokenOf(uid: string): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const nowS = Math.floor(Date.now() / 1000);
  return `${encode({ alg: "none", typ: "JWT" })}.${encode({ sub: uid, user_id: uid, iat: nowS, exp: nowS + 3600 })}.`;
}

function uidOf(token: string): string {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return String((claims as { user_id?: unknown }).user_id ?? "");
  } catch {
    return "";
  }
}

/** One socket of a client. */
class DatabaseConnection {
  readonly #socket: WebSocket;
  readonly #double: FirebaseDouble;
  readonly #listened = new Set<string>();
  /** What is written when the connection ends, by path. */
  readonly #farewells = new Map<string, Readonly<Record<string, Sent>>>();
  /** The frames of a message that are still to come, and those that came. */
  #partsLeft = 0;
  #parts = "";
  auth: Auth = null;

  constructor(socket: WebSocket, address: string, double: FirebaseDouble) {
    this.#socket = socket;
    this.#double = double;
    socket.on("message", (frame) => this.#read(String(frame)));
    socket.on("error", () => {});
    const greeting = { ts: double.database.now(), v: "5", h: address, s: "session" };
    this.#send({ t: "c", d: { t: "h", d: greeting } });
  }

  /** Ends it at once, as a broken line does. */
  cut(): void {
    this.#socket.terminate();
  }

  end(): void {
    for (const changes of this.#farewells.values()) this.#double.write(this.auth, changes);
    this.#farewells.clear();
  }

  /** Sends what changed to listeners at, above and below the changed paths. */
  notify(paths: readonly string[]): void {
    const changed = new Set<string>();
    for (const path of paths.map(normal)) {
      for (const listened of this.#listened) {
        if (isWithin(path, listened)) changed.add(path);
        else if (isWithin(listened, path)) changed.add(listened);
      }
    }
    for (const path of changed) this.#push(path);
  }

  #push(path: string): void {
    this.#send({ t: "d", d: { a: "d", b: { p: path, d: this.#double.database.peek(path) } } });
  }

  #read(frame: string): void {
    if (this.#partsLeft === 0 && /^\d{1,6}$/.test(frame)) {
      this.#partsLeft = Number(frame); // 0 keeps the connection alive
      return;
    }
    this.#parts += frame;
    this.#partsLeft = Math.max(0, this.#partsLeft - 1);
    if (this.#partsLeft > 0) return;
    const message = JSON.parse(this.#parts) as { t: string; d: Request };
    this.#parts = "";
    if (message.t === "d") this.#handle(message.d);
    else this.#send({ t: "c", d: { t: "o", d: null } });
  }

  #handle({ r, a: action, b }: Request): void {
    const { database } = this.#double;
    const path = normal(b.p ?? "");
    let isAllowed = true;
    let data: Sent = {};
    switch (action) {
      case "auth":
        this.auth = { uid: uidOf(b.cred ?? "") };
        if (this.#double.isBlocked(this.auth.uid)) this.cut();
        break;
      case "unauth":
        this.auth = null;
        break;
      case "q":
        isAllowed = database.mayRead(this.auth, path);
        if (isAllowed) {
          this.#listened.add(path);
          this.#push(path);
        }
        break;
      case "n":
        this.#listened.delete(path);
        break;
      case "g":
        isAllowed = database.mayRead(this.auth, path);
        data = isAllowed ? database.peek(path) : null;
        break;
      case "p":
      case "m":
        isAllowed = this.#double.write(this.auth, changesOf(action, path, b.d));
        break;
      case "o":
      case "om": {
        // The rules are asked now and again at the end, which is at least as strict as the database.
        const changes = changesOf(action === "o" ? "p" : "m", path, b.d);
        isAllowed = database.wouldWrite(this.auth, changes);
        if (isAllowed) this.#farewells.set(path, changes);
        break;
      }
      case "oc":
        for (const kept of [...this.#farewells.keys()])
          if (isWithin(kept, path)) this.#farewells.delete(kept);
        break;
      default: // statistics
    }
    const answer = isAllowed ? { s: "ok", d: data } : { s: "permission_denied", d: "Permission denied" };
    this.#send({ t: "d", d: { r, b: answer } });
  }

  #send(message: unknown): void {
    const text = JSON.stringify(message);
    const parts = text.match(new RegExp(`[^]{1,${frameLength}}`, "g")) ?? [];
    if (parts.length > 1) this.#socket.send(String(parts.length));
    for (const part of parts) this.#socket.send(part);
  }
}

const normal = (path: string): string => `/${segmentsOf(path).join("/")}`;

/** Whether a path is another one or below it. */
const isWithin = (path: string, folder: string): boolean =>
  folder === "/" || path === folder || path.startsWith(`${folder}/`);

function changesOf(action: "p" | "m", path: string, data: Sent): Record<string, Sent> {
  if (action === "p") return { [path]: data };
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [`${path}/${key}`, value]));
}
