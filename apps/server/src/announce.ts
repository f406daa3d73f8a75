import { networkInterfaces } from "node:os";

/** Where a server listens, and the hosts of its certificate, if any. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  /** The path of the app on its host, with a slash at both ends. */
  readonly basePath?: string;
  readonly certificateHosts?: readonly string[] | undefined;
}

/** The lines printed at the start: the addresses under which browsers reach the server. */
export function announcement({ host, port, basePath = "/", certificateHosts }: Listening): string {
  const scheme = certificateHosts ? "https" : "http";
  const path = basePath === "/" ? "" : basePath;
  const addressOf = (name: string) => new URL(`${scheme}://${name}:${port}`).origin + path;
  const everywhere = host === "0.0.0.0" || host === "::";
  const local = everywhere || host === "127.0.0.1" || host === "::1" ? "localhost" : bracketed(host);
  if (certificateHosts && certificateHosts.length > 0)
    return certificateHosts.map((name) => `Warren is open at ${addressOf(name)}\n`).join("");
  const lines = [`Warren is open at ${addressOf(local)}`];
  if (everywhere) {
    for (const address of networkAddresses()) lines.push(`On your network: ${addressOf(address)}`);
  }
  if (scheme === "http" && (lines.length > 1 || local !== "localhost")) {
    lines.push(
      "Browsers allow the clipboard, camera, microphone and installing only over https or at localhost.",
    );
  }
  return `${lines.join("\n")}\n`;
}

function networkAddresses(): string[] {
  try {
    return Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter((address) => !address.internal && address.family === "IPv4")
      .map((address) => address.address);
  } catch {
    return []; // a sandboxed service may not list interfaces
  }
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
