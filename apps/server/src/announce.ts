import { networkInterfaces } from "node:os";

/** What a person who starts the server wants to know: where it is open, in plain words. */
export function announcement(host: string, port: number): string {
  const everywhere = host === "0.0.0.0" || host === "::";
  const local = everywhere || host === "127.0.0.1" || host === "::1" ? "localhost" : bracketed(host);
  const lines = [`Warren is open at http://${local}:${port}`];
  if (everywhere) {
    for (const address of networkAddresses()) lines.push(`On your network: http://${address}:${port}`);
  }
  if (lines.length > 1 || local !== "localhost") {
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
    return []; // a sandboxed service may not ask
  }
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
