import { randomBytes } from "@noble/hashes/utils.js";
import { toWarrenError, type WarrenError } from "@warren/protocol";
import { encodeBase64url } from "../crypto/encoding.ts";
import type { EstablishedKeys } from "../established-keys.ts";
import type { HandshakeDeps } from "../handshake.ts";
import type { HandshakeMessage } from "../handshake-message.ts";
import { generateIdentityKey, type Identity, identityOf } from "../identity.ts";
import { createInitiator } from "../initiator.ts";
import { createResponder } from "../responder.ts";

/** How often randomized and attack tests run; `WARREN_LONG=1` selects the numbers of the test plan. */
export function repetitions(quick: number, long: number): number {
  return process.env.WARREN_LONG === "1" ? long : quick;
}

/** The time a test of `count` handshakes may take on a slow core, in ms. */
export function timeoutMs(count: number): number {
  return 10_000 + count * 100;
}

export const roomTag = encodeBase64url(new Uint8Array(32).fill(7));
export const noPassword = new Uint8Array(0);
/** Replaces the slow derivation: the handshake accepts any 32 bytes. */
export const password = new Uint8Array(32).fill(1);
export const otherPassword = new Uint8Array(32).fill(2);

export async function newIdentity(): Promise<Identity> {
  return identityOf(await generateIdentityKey(crypto.subtle), crypto.subtle);
}

/** A client in a room: its identity and its certificate. */
export interface Member {
  readonly identity: Identity;
  readonly fingerprint: Uint8Array;
}

export async function newMember(): Promise<Member> {
  return { identity: await newIdentity(), fingerprint: randomBytes(32) };
}

/** The options of `own` for a run with `peer`. */
export function towards(
  own: Member,
  peer: Member,
  prs: Uint8Array = password,
  more: Partial<HandshakeDeps> = {},
): HandshakeDeps {
  return { ...own, peerId: peer.identity.clientId, roomTag, prs, ...more };
}

/** Changes a message in transit, as the server could. */
export type Interceptor = <M extends HandshakeMessage>(message: M) => M;

export interface RunResult {
  /** The result of each side; null for a side that did not complete. */
  readonly a: EstablishedKeys | null;
  readonly b: EstablishedKeys | null;
  /** The error that ended the run. */
  readonly error: WarrenError | null;
}

/** One run between A and B through a server that may change each message. */
export async function run(
  optionsA: HandshakeDeps,
  optionsB: HandshakeDeps,
  intercept: Interceptor = (message) => message,
): Promise<RunResult> {
  const initiator = createInitiator(optionsA);
  const responder = createResponder(optionsB);
  let a: EstablishedKeys | null = null;
  let b: EstablishedKeys | null = null;
  try {
    const message2 = responder.onMessage1(intercept(initiator.start()));
    const { message: message3 } = await initiator.onMessage2(intercept(message2));
    const { message: message4, established } = await responder.onMessage3(intercept(message3));
    b = established;
    a = await initiator.onMessage4(intercept(message4));
  } catch (thrown) {
    return { a, b, error: toWarrenError(thrown) };
  }
  return { a, b, error: null };
}

/** A run that must succeed. */
export async function establish(
  optionsA: HandshakeDeps,
  optionsB: HandshakeDeps,
): Promise<{ a: EstablishedKeys; b: EstablishedKeys }> {
  const { a, b, error } = await run(optionsA, optionsB);
  if (a === null || b === null) throw error ?? new Error("the run ended without an error");
  return { a, b };
}
