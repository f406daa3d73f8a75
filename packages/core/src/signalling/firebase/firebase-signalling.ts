import { toWarrenError, WarrenError } from "@warren/protocol";
import { type FirebaseApp, initializeApp, setLogLevel } from "firebase/app";
import {
  type Auth,
  browserLocalPersistence,
  connectAuthEmulator,
  initializeAuth,
  signInAnonymously,
} from "firebase/auth";
import {
  type Database,
  forceWebSockets,
  getDatabase,
  goOffline,
  goOnline,
  onDisconnect,
  ref,
} from "firebase/database";
import type { Clock } from "../../ports/clock.ts";
import type { Environment } from "../../ports/environment.ts";
import type { SeatRequest, SignallingBackend, SignallingClient } from "../../ports/signalling.ts";
import { type Log, silentLog } from "../../shared/log.ts";
import { FirebaseSignallingClient } from "./firebase-signalling-client.ts";

/** The Firebase project that introduces browsers to each other. */
export interface FirebaseConfig {
  readonly apiKey: string;
  readonly databaseUrl: string;
  /** The server of accounts instead of Google's, for tests: an `http:` URL. */
  readonly authEmulatorUrl?: string;
}

export interface FirebaseSignallingDeps {
  readonly config: FirebaseConfig;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly log?: Log;
  /** A number in [0, 1), for the jitter of reconnects and the choice of a seat. */
  readonly random?: () => number;
  /** Distinguishes pages of one process, so that each has its own account. */
  readonly appName?: string;
}

/** An anonymous account of the project, one per browser, and the database it writes to. */
interface Account {
  readonly auth: Auth;
  readonly database: Database;
}

/** Signalling over a Firebase Realtime Database, without a server of Warren's (docs/security.md, "Without a server"). */
export class FirebaseSignalling implements SignallingBackend {
  readonly #deps: Required<FirebaseSignallingDeps>;
  readonly #clients = new Set<FirebaseSignallingClient>();
  #account: Account | null = null;
  #signingIn: Promise<string> | null = null;

  constructor(deps: FirebaseSignallingDeps) {
    this.#deps = { log: silentLog, random: Math.random, appName: "[DEFAULT]", ...deps };
  }

  /** Tries for at most 10 s; after that the client reconnects automatically and indefinitely. */
  async createClient(seat: SeatRequest): Promise<SignallingClient> {
    // A database knows nobody's address.
    if (seat.nearby) throw new WarrenError("nearby-unavailable");
    const { clock, environment, log, random } = this.#deps;
    this.#account ??= this.#open();
    const { auth, database } = this.#account;
    // Two rooms at once, such as a mailbox beside ours, use one account.
    this.#signingIn ??= this.#signIn(auth).finally(() => {
      this.#signingIn = null;
    });
    const uid = await this.#signingIn;
    const client = new FirebaseSignallingClient({ seat, uid, database, clock, environment, random, log });
    void client.ended.then(({ keepsSeat }) => this.#release(client, keepsSeat));
    this.#clients.add(client);
    // Disconnected while in no room.
    goOnline(database);
    try {
      await client.connect();
    } catch (thrown) {
      client.destroy();
      throw toWarrenError(thrown, "signalling-unreachable");
    }
    return client;
  }

  #open(): Account {
    const { config, appName } = this.#deps;
    setLogLevel("silent"); // failures are reported by errors and the status
    forceWebSockets(); // the alternative loads scripts, which the page's policy forbids
    const app: FirebaseApp = initializeApp(
      { apiKey: config.apiKey, databaseURL: config.databaseUrl },
      appName,
    );
    // One account for all tabs, so that a tab can take over the seat of another; without storage, one for the page.
    const auth = initializeAuth(app, { persistence: browserLocalPersistence });
    if (config.authEmulatorUrl !== undefined)
      connectAuthEmulator(auth, config.authEmulatorUrl, { disableWarnings: true });
    return { auth, database: getDatabase(app) };
  }

  async #signIn(auth: Auth): Promise<string> {
    try {
      await auth.authStateReady();
      return (auth.currentUser ?? (await signInAnonymously(auth)).user).uid;
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : "";
      this.#deps.log.warn("no account of the Firebase project", { reason });
      const code = reason.includes("too-many-requests") ? "rate-limited" : "signalling-unreachable";
      throw new WarrenError(code, {}, { cause: thrown });
    }
  }

  async #release(client: FirebaseSignallingClient, keepsSeat: boolean): Promise<void> {
    this.#clients.delete(client);
    if (this.#clients.size > 0 || this.#account === null) return;
    const { database } = this.#account;
    // Otherwise the end of our connection would remove the seat of a later page.
    if (keepsSeat)
      await onDisconnect(ref(database, "rooms"))
        .cancel()
        .catch(() => {});
    if (this.#clients.size === 0) goOffline(database);
  }
}
