import { WarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";

/** Longer than a busy browser takes, and shorter than an attempt, which would otherwise end without a reason. */
const answerLimitMs = 5_000;

/**
 * The browser's answer to a call of WebRTC. It is input: an extension or a setting may disable the call, which then
 * throws, returns nothing, has no effect or never answers.
 * @param isAnswer whether the answer, or what the call changed, is what the platform promises.
 * @throws WarrenError `webrtc-blocked`, or what the browser rejects with.
 */
export async function answerOf<T>(
  clock: Clock,
  call: string,
  ask: () => Promise<T>,
  isAnswer: (answer: T) => boolean = () => true,
): Promise<T> {
  const blocked = (cause?: unknown) => new WarrenError("webrtc-blocked", { call }, { cause });
  let asked: Promise<T> | undefined;
  try {
    asked = ask();
  } catch (thrown) {
    throw blocked(thrown);
  }
  // Every one of these calls returns a promise, unless it has been replaced.
  if (typeof asked?.then !== "function") throw blocked();
  let cancel = (): void => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(answerLimitMs, () => reject(blocked()));
  });
  try {
    const answer = await Promise.race([asked, late]);
    if (!isAnswer(answer)) throw blocked();
    return answer;
  } finally {
    cancel();
  }
}

/** The statistics of a connection. @throws as {@link answerOf}. */
export function statsOf(connection: RTCPeerConnection, clock: Clock): Promise<RTCStatsReport> {
  // Whatever the types say of it.
  const isReport = (report?: Partial<RTCStatsReport>) => typeof report?.forEach === "function";
  return answerOf(clock, "getStats", () => connection.getStats(), isReport);
}
