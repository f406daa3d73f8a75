import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import {
  type DoctorPlatform,
  doctorReport,
  systemClock,
  unverifiableIdentity,
  WebsocketSignalling,
} from "@warren/core";
import { diagnose } from "@warren/core/doctor";
import { createPeerConnection } from "@warren/core/node";
import { signallingSubprotocol } from "@warren/protocol";
import { machineEnvironment } from "../platform/machine-environment.ts";
import { openSocket } from "../platform/node-socket.ts";
import { serverTimeAt } from "../platform/server-time.ts";
import { askFromOneSocket } from "../platform/stun-client.ts";
import { askRelay } from "../platform/turn-client.ts";
import { doctorText } from "../terminal/doctor-text.ts";
import { CommandError, exitCodes } from "../terminal/exit-code.ts";
import type { CommandContext } from "./context.ts";
import { readRoomLink, type ServerAddress } from "./server-address.ts";

/** Without these, no room can be joined. */
const needed = new Set(["signalling", "addresses", "loopback"]);

/** `warren doctor [LINK]` */
export async function doctor(context: CommandContext): Promise<void> {
  const [address, ...rest] = context.operands;
  if (rest.length > 0) throw new CommandError("Name one link at most.");
  const link = address === undefined ? null : readRoomLink(address, context.options.signalling);
  const isNamed = Boolean(context.options.server ?? context.env.WARREN_SERVER);
  const server = link?.server ?? (isNamed ? context.server() : null);
  context.report.line("Examining, for 15 s at most.");
  const verdicts = await diagnose(
    {
      createPeerConnection,
      clock: systemClock,
      fetch: (url, init) => fetch(url, init),
      serverTime: async () => (server === null ? null : serverTimeAt(server.home)),
      servers: context.servers(link?.servers ?? null),
      relays: async () => (server === null ? [] : relaysOf(server)),
      platform: platformOf(context, server),
    },
    (found) => {
      for (const verdict of found) context.report.event({ event: "verdict", ...verdict });
    },
  );
  if (!context.options.json) context.streams.stdout.write(doctorReport(verdicts, doctorText));
  if (server === null) context.report.line("No server was examined: name one with --server, or a link.");
  if (verdicts.some(({ step, outcome }) => outcome === "bad" && needed.has(step)))
    throw new CommandError("Nobody can be met from here.", exitCodes.noPath);
}

function platformOf({ data }: CommandContext, server: ServerAddress | null): DoctorPlatform {
  return {
    isSecure: null,
    signalling: server && { host: new URL(server.socket).host, reach: () => reach(server.socket) },
    localNetwork: async () => null,
    storage: async () => {
      const folder = existing(data.path);
      const { bavail, bsize } = await statfs(folder);
      return { isDurable: isWritable(folder), isPersisted: true, hasFiles: true, freeBytes: bavail * bsize };
    },
    askFromOneSocket,
    // libjuice has no other.
    relays: { ways: ["UDP"], ask: askRelay },
    devices: null,
  };
}

/** Opens a socket, waits for the server's first words, and closes it. */
async function reach(url: string): Promise<void> {
  const socket = openSocket(url, signallingSubprotocol);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("message", () => resolve());
      socket.addEventListener("close", () => reject(new Error("the socket was closed")));
    });
  } finally {
    socket.close();
  }
}

/** The relays of a server, which it tells the members of rooms: so we are one for a moment, of a room of our own. */
async function relaysOf({ socket }: ServerAddress): Promise<readonly RTCIceServer[]> {
  const identity = await unverifiableIdentity();
  const signalling = new WebsocketSignalling({
    identity,
    openSocket,
    url: () => socket,
    clock: systemClock,
    environment: machineEnvironment,
    storage: { read: () => null, write: () => {}, remove: () => {} },
  });
  const client = await signalling.createClient({
    roomTag: randomBytes(32).toString("base64url"),
    clientId: identity.clientId,
    locked: false,
    prove: async () => {},
    greet: async () => {},
  });
  const { relays } = client;
  client.destroy();
  return relays;
}

/** The folder itself, or the first above it that is there. */
function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path));
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
