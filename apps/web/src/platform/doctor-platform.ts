import type { Access, DoctorPlatform } from "@warren/core";
import { signallingSubprotocol } from "@warren/protocol";
import { watchLocalNetworkAccess } from "./network/local-network.ts";
import { browserData } from "./storage/browser-data.ts";

/** A browser that knows no such permission reports none; others answer at once. */
const permissionLimitMs = 500;

/** What the connection doctor asks this browser. */
export function doctorPlatform({
  signallingUrl,
  isDurable,
}: {
  /** Null with a backend of another operator. */
  readonly signallingUrl: string | null;
  /** Whether messages and files survive a reload. */
  readonly isDurable: boolean;
}): DoctorPlatform {
  return {
    isSecure: isSecureContext,
    signalling:
      signallingUrl === null
        ? null
        : { host: new URL(signallingUrl).host, reach: () => reach(signallingUrl) },
    localNetwork,
    storage: async () => {
      const [usage, isPersisted] = await Promise.all([browserData.usage(), browserData.isPersisted()]);
      // Missing outside secure contexts, although the types declare it.
      const root = await (navigator.storage as Partial<StorageManager> | undefined)
        ?.getDirectory?.()
        .catch(() => null);
      return { isDurable, isPersisted, hasFiles: root != null, freeBytes: usage?.freeBytes ?? null };
    },
    // Missing outside secure contexts, where the page itself is what to mend.
    devices: isSecureContext ? deviceAccess : null,
  };
}

/** Opens a socket, waits for the server's first words, and closes it. */
async function reach(url: string): Promise<void> {
  const socket = new WebSocket(url, signallingSubprotocol);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("message", () => resolve());
      socket.addEventListener("close", () => reject(new Error("the socket was closed")));
    });
  } finally {
    socket.close();
  }
}

function localNetwork(): Promise<Access | null> {
  return new Promise((resolve) => {
    const watching = new AbortController();
    const answer = (state: Access | null): void => {
      watching.abort();
      resolve(state);
    };
    setTimeout(() => answer(null), permissionLimitMs);
    watchLocalNetworkAccess(answer, watching.signal);
  });
}

const deviceKinds = { camera: "videoinput", microphone: "audioinput" } as const;

async function deviceAccess(kind: keyof typeof deviceKinds): Promise<Access | "missing"> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const ofKind = devices.filter((device) => device.kind === deviceKinds[kind]);
  if (ofKind.length === 0) return "missing";
  // Firefox has known these names only since 2024; a device is named only with permission.
  const status = await navigator.permissions.query({ name: kind as PermissionName }).catch(() => null);
  return status?.state ?? (ofKind.some(({ label }) => label !== "") ? "granted" : "prompt");
}
