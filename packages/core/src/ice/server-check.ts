import { type ErrorDescription, toWarrenError, WarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import type { TurnServer } from "../settings/options.ts";
import { answerOf } from "./browser-answer.ts";
import type { IceConfigurationDeps } from "./ice-configuration.ts";
import type { ServerVerdicts } from "./server-verdicts.ts";
import { resolveTurn, type TurnContext } from "./turn-credentials.ts";

const checkTimeoutMs = 8_000;
/** The browser's error code for an unreachable server. */
const unreachableCode = 701;

/** The result of a check. */
export type ServerCheck =
  /** `srflx`: it reported our address; `relay`: it allocated a relay address. */
  | { readonly status: "answered"; readonly candidate: "srflx" | "relay"; readonly tookMs: number }
  | { readonly status: "silent" }
  /** It answered with an error, such as 401 for wrong credentials. */
  | { readonly status: "refused"; readonly code: number; readonly text: string }
  /** No credentials could be created for it, or the browser did not ask it. */
  | { readonly status: "failed"; readonly error: ErrorDescription };

/** Asks a relay at one address for an allocation. Ends within `limitMs`, and never rejects. */
export type AskRelay = (
  relay: { readonly url: string; readonly username: string; readonly password: string },
  limitMs: number,
) => Promise<ServerCheck>;

export interface ServerCheckDeps {
  readonly createPeerConnection: CreatePeerConnection;
  /** Used for relays where a connection does not tell why one refuses, as in a terminal. */
  readonly askRelay?: AskRelay;
  readonly verdicts: ServerVerdicts;
  readonly clock: Clock;
  readonly fetch: TurnContext["fetch"];
  readonly serverTime: IceConfigurationDeps["serverTime"];
}

/**
 * Gathers candidates with only one server, on a connection without a peer. Never fails.
 * @param server the address of a STUN server, or a TURN server.
 */
export async function checkServer(
  server: string | TurnServer,
  { createPeerConnection, askRelay, verdicts, clock, fetch, serverTime }: ServerCheckDeps,
): Promise<ServerCheck> {
  const startedAt = clock.elapsedMs();
  let iceServers: RTCIceServer[];
  try {
    iceServers =
      typeof server === "string"
        ? [{ urls: server }]
        : await resolveTurn(server, {
            serverTime: async () => (await serverTime()) ?? clock.now(),
            fetch,
          });
  } catch (thrown) {
    return { status: "failed", error: toWarrenError(thrown).describe() };
  }
  const wanted = typeof server === "string" ? "srflx" : "relay";
  let connection: RTCPeerConnection | null = null;
  try {
    for (const { urls, ...signIn } of iceServers)
      for (const url of [urls].flat()) {
        const reason = verdicts.refusalOf({ urls: url, ...signIn });
        if (reason !== null) throw new WarrenError("server-refused", { url, reason });
      }
    if (wanted === "relay" && askRelay) {
      const checks = await Promise.all(
        iceServers.flatMap(({ urls, username = "", credential = "" }) =>
          [urls].flat().map((url) => askRelay({ url, username, password: credential }, checkTimeoutMs)),
        ),
      );
      return checks.find(({ status }) => status === "answered") ?? checks[0] ?? { status: "silent" };
    }
    connection = createPeerConnection({
      iceServers,
      iceTransportPolicy: wanted === "relay" ? "relay" : "all",
    });
    return await gather(connection, wanted, clock, startedAt);
  } catch (thrown) {
    const error = toWarrenError(thrown, "webrtc-blocked", { call: "RTCPeerConnection" });
    return { status: "failed", error: error.describe() };
  } finally {
    connection?.close();
  }
}

function gather(
  connection: RTCPeerConnection,
  wanted: "srflx" | "relay",
  clock: Clock,
  startedAt: number,
): Promise<ServerCheck> {
  const listening = new AbortController();
  const { signal } = listening;
  return new Promise<ServerCheck>((resolve, reject) => {
    let worst: ServerCheck = { status: "silent" };
    signal.addEventListener(
      "abort",
      clock.after(checkTimeoutMs, () => resolve(worst)),
    );
    connection.addEventListener(
      "icecandidate",
      ({ candidate }) => {
        if (candidate === null) resolve(worst);
        else if (new RegExp(` typ ${wanted}\\b`).test(candidate.candidate)) {
          resolve({
            status: "answered",
            candidate: wanted,
            tookMs: Math.round(clock.elapsedMs() - startedAt),
          });
        }
      },
      { signal },
    );
    connection.addEventListener(
      "icecandidateerror",
      ({ errorCode, errorText }) => {
        if (errorCode !== unreachableCode) worst = { status: "refused", code: errorCode, text: errorText };
      },
      { signal },
    );
    // Without a channel or track, the browser does not gather.
    connection.createDataChannel("check");
    answerOf(clock, "setLocalDescription", () => connection.setLocalDescription()).catch(reject);
  }).finally(() => listening.abort());
}
