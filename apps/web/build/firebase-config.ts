import type { FirebaseConfig } from "@warren/core/firebase";

type Environment = Readonly<Partial<Record<string, string>>>;

/**
 * The signalling backend in a build's environment: null for a Warren server (`VITE_BACKEND=WEBSOCKET`, the
 * default), or the Firebase project (`FIREBASE`).
 * @throws Error `invalid backend type`, or a sentence about the project's first invalid setting.
 */
export function firebaseConfigOf(env: Environment): FirebaseConfig | null {
  const backend = env.VITE_BACKEND ?? "WEBSOCKET";
  if (backend === "WEBSOCKET") return null;
  if (backend !== "FIREBASE") throw new Error("invalid backend type");
  const apiKey = env.VITE_FIREBASE_API_KEY;
  const databaseUrl = env.VITE_FIREBASE_DATABASE_URL;
  const authEmulatorUrl = env.VITE_FIREBASE_AUTH_EMULATOR_URL;
  if (!apiKey) throw new Error("VITE_FIREBASE_API_KEY is missing: the Web API key of the Firebase project");
  if (!databaseUrl)
    throw new Error("VITE_FIREBASE_DATABASE_URL is missing: the address of the project's Realtime Database");
  if (!isDatabase(databaseUrl))
    throw new Error(
      "VITE_FIREBASE_DATABASE_URL is no address of a Realtime Database, such as https://warren-default-rtdb.europe-west1.firebasedatabase.app",
    );
  if (authEmulatorUrl && !isLocal(authEmulatorUrl))
    throw new Error("VITE_FIREBASE_AUTH_EMULATOR_URL is no http address of this machine");
  return { apiKey, databaseUrl, ...(authEmulatorUrl && { authEmulatorUrl }) };
}

function isDatabase(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, pathname } = new URL(address);
  const isGoogle = protocol === "https:" && /\.(?:firebaseio\.com|firebasedatabase\.app)$/.test(hostname);
  return pathname === "/" && (isGoogle || isLocal(address));
}

/** Whether an address is that of a local emulator. */
function isLocal(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}
