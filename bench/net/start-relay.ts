import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { endWithUs, startTurnServer } from "../../e2e/support/turn-server.ts";
import type { Shape } from "./shaped-link.ts";

/** A relay behind a link with a given shape. */
export interface ShapedRelay {
  /** Browsers reach each other only over this relay, and so over the link. */
  readonly server: { readonly url: string; readonly username: string; readonly password: string };
  stop(): Promise<void>;
}

/**
 * Starts coturn behind a link that the packets of both browsers pass twice, once up and once down, on the way
 * to each other.
 * @throws Error if coturn is missing or does not respond.
 */
export async function startRelay(shapes: { readonly up: Shape; readonly down: Shape }): Promise<ShapedRelay> {
  const relay = await startTurnServer();
  const { host, port, username, password } = relay;
  const proxy = spawn(
    process.execPath,
    [
      "--import",
      "tsx",
      fileURLToPath(new URL("shaping-proxy.ts", import.meta.url)),
      host,
      String(port),
      JSON.stringify(shapes),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const endProxy = endWithUs(proxy);
  const [proxyPort] = await once(proxy.stdout, "data");
  return {
    server: { url: `turn:${host}:${String(proxyPort).trim()}?transport=udp`, username, password },
    stop: async () => {
      await Promise.all([relay.stop(), endProxy()]);
    },
  };
}
