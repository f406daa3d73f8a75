import { accessSync, constants, existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { type DoctorPlatform, doctorReport, systemClock } from "@warren/core";
import { diagnose } from "@warren/core/doctor";
import { createPeerConnection } from "@warren/core/node";
import { signallingSubprotocol } from "@warren/protocol";
import { openSocket } from "../platform/node-socket.ts";
import { serverTimeAt } from "../platform/server-time.ts";
import { askFromOneSocket } from "../platform/stun-client.ts";
import { doctorText } from "../terminal/doctor-text.ts";
import { CommandError, exitCodes } from "../terminal/exit-code.ts";
import type { CommandContext } from "./context.ts";
import type { ServerAddress } from "./server-address.ts";

/** Without these, nobody can be met. */
const needed = new Set(["signalling", "addresses", "loopback"]);

/** `warren doctor` */
export async function doctor(context: CommandContext): Promise<void> {
  if (context.operands.length > 0) throw new CommandError("`warren doctor` takes no operands.");
  const server = (context.options.server ?? context.env.WARREN_SERVER) ? context.server() : null;
  const verdicts = await diagnose(
    {
      createPeerConnection,
      clock: systemClock,
      fetch: (url, init) => fetch(url, init),
      serverTime: async () => (server === null ? null : serverTimeAt(server.home)),
      servers: { stuns: context.stuns(), turns: [] },
      relays: [],
      platform: platformOf(context, server),
    },
    (found) => {
      for (const verdict of found) context.report.event({ event: "verdict", ...verdict });
    },
  );
  if (!context.options.json) context.streams.stdout.write(doctorReport(verdicts, doctorText));
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
