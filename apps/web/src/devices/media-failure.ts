/**
 * Why a camera, a microphone or a screen could not be opened. `busy`: used by another program; `failed`: for an unknown
 * reason.
 */
export type MediaFailure = "denied" | "missing" | "busy" | "failed";

const failures: Readonly<Record<string, MediaFailure>> = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
};

/** The reason behind a rejection of `getUserMedia` or `getDisplayMedia`. */
export function mediaFailureOf(thrown: unknown): MediaFailure {
  return (thrown instanceof Error ? failures[thrown.name] : undefined) ?? "failed";
}

/** Stops every track, which turns off the device's light. */
export function stopTracks(stream: MediaStream | null | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
