import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { isIP, connect as openTcp } from "node:net";
import { connect as openTls } from "node:tls";
import type { AskRelay, ServerCheck } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import {
  attributes,
  errorOf,
  longTermKey,
  methods,
  readStun,
  type StunAttribute,
  type StunMessage,
  stunLength,
  stunRequest,
} from "./stun-message.ts";

const repeatMs = 500;
/** After this many requests a relay that always wants another nonce counts as one that refuses. */
const attempts = 3;
const lingerMs = 200;
const staleNonce = 438;
const unauthorized = 401;
const overUdp = Buffer.from([17, 0, 0, 0]);

/** What carries messages to a relay. */
interface Line {
  send(bytes: Buffer): void;
  close(): void;
}

/**
 * Asks a relay for an allocation, by the way that its address names, and gives it back. libjuice, which has UDP only, does not
 * tell what a relay answers.
 */
export const askRelay: AskRelay = async ({ url, username, password }, limitMs) => {
  const place = placeOf(url);
  if (place === null) return failed(url, "no address of a relay");
  const startedAt = performance.now();
  let end = (_check: ServerCheck): void => {};
  const ended = new Promise<ServerCheck>((resolve) => {
    end = resolve;
  });
  let hear: ((answer: StunMessage) => void) | null = null;
  const line = lines[place.way](place, {
    onMessage: (bytes) => {
      const answer = readStun(bytes);
      if (answer !== null) hear?.(answer);
    },
    onError: (error) => end(isCertificateError(error) ? failed(url, error.message) : { status: "silent" }),
  });
  let repeating: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => end({ status: "silent" }), limitMs);
  /** Sends a request until it is answered: a datagram may be lost. */
  const request = (type: number, given: readonly StunAttribute[], key?: Buffer) =>
    new Promise<StunMessage>((resolve) => {
      const { bytes, id } = stunRequest(type, given, key);
      hear = (answer) => {
        if (!answer.id.equals(id)) return;
        clearInterval(repeating);
        resolve(answer);
      };
      clearInterval(repeating);
      if (place.way === "udp") repeating = setInterval(() => line.send(bytes), repeatMs);
      line.send(bytes);
    });
  const signIn = async (): Promise<ServerCheck> => {
    let login: readonly StunAttribute[] = [];
    let key: Buffer | undefined;
    for (let attempt = 1; ; attempt++) {
      const transport: StunAttribute = [attributes.requestedTransport, overUdp];
      const answer = await request(methods.allocate.request, [transport, ...login], key);
      if (answer.type === methods.allocate.success) {
        const tookMs = Math.round(performance.now() - startedAt);
        const atOnce: StunAttribute = [attributes.lifetime, Buffer.alloc(4)];
        line.send(stunRequest(methods.refresh.request, [atOnce, ...login], key).bytes);
        return { status: "answered", candidate: "relay", tookMs };
      }
      const error = errorOf(answer);
      const [realm, nonce] = [attributes.realm, attributes.nonce].map((each) => answer.attributes.get(each));
      const asksToSignIn = key === undefined ? error.code === unauthorized : error.code === staleNonce;
      if (!asksToSignIn || realm === undefined || nonce === undefined || attempt === attempts)
        return { status: "refused", ...error };
      key = longTermKey(username, realm, password);
      login = [
        [attributes.username, Buffer.from(username)],
        [attributes.realm, realm],
        [attributes.nonce, nonce],
      ];
    }
  };
  try {
    return await Promise.race([ended, signIn()]);
  } finally {
    clearTimeout(timer);
    clearInterval(repeating);
    line.close();
  }
};

type Way = "udp" | "tcp" | "tls";
interface Place {
  readonly way: Way;
  readonly host: string;
  readonly port: number;
}

function placeOf(url: string): Place | null {
  const [, scheme = "", host, port, transport] =
    /^(turns?):(\[[^\]]+\]|[^:?]+)(?::(\d{1,5}))?(?:\?transport=(udp|tcp))?$/i.exec(url) ?? [];
  const isTls = scheme.toLowerCase() === "turns";
  const portNumber = Number(port ?? (isTls ? 5349 : 3478));
  // A socket throws for any other.
  if (host === undefined || portNumber < 1 || portNumber > 65_535) return null;
  return {
    way: isTls ? "tls" : transport?.toLowerCase() === "tcp" ? "tcp" : "udp",
    host: host.replace(/^\[|\]$/g, ""),
    port: portNumber,
  };
}

interface Listener {
  onMessage(bytes: Buffer): void;
  onError(error: Error): void;
}

const lines: Readonly<Record<Way, (place: Place, listener: Listener) => Line>> = {
  udp: ({ host, port }, { onMessage, onError }) => {
    const opening = lookup(host).then(({ address, family }) => {
      const socket = createSocket(family === 6 ? "udp6" : "udp4");
      socket.on("message", onMessage);
      socket.on("error", onError);
      return {
        send: (bytes: Buffer) => socket.send(bytes, port, address, () => {}),
        close: () => socket.close(),
      };
    });
    return {
      send: (bytes) => void opening.then(({ send }) => send(bytes), onError),
      // What was sent last has to leave first.
      close: () => void opening.then(({ close }) => setImmediate(close), onError),
    };
  },
  tcp: ({ host, port }, listener) => lineOf(openTcp(port, host), listener),
  tls: ({ host, port }, listener) =>
    lineOf(openTls({ host, port, ...(isIP(host) === 0 && { servername: host }) }), listener),
};

/** Messages on a stream, each of which tells its length. */
function lineOf(socket: ReturnType<typeof openTcp>, { onMessage, onError }: Listener): Line {
  let waiting: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (;;) {
      const length = stunLength(waiting);
      if (length === null || waiting.length < length) return;
      onMessage(waiting.subarray(0, length));
      waiting = waiting.subarray(length);
    }
  });
  socket.on("error", onError);
  socket.on("close", () => onError(new Error("the connection was closed")));
  return {
    send: (bytes) => void socket.write(bytes),
    close: () => {
      socket.end();
      setTimeout(() => socket.destroy(), lingerMs).unref();
    },
  };
}

function failed(url: string, reason: string): ServerCheck {
  return { status: "failed", error: new WarrenError("server-refused", { url, reason }).describe() };
}

function isCertificateError(error: Error): boolean {
  return "code" in error && /CERT|ALTNAME|SELF_SIGNED|VERIFY|SIGNATURE/.test(String(error.code));
}
