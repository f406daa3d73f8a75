/** Why a camera, a microphone or a screen was not opened. */
export interface MediaFailure {
  /** `busy`: used by another program; `failed`: silent for a reason of its own. */
  readonly kind: "denied" | "missing" | "busy" | "failed";
}

const kinds: Readonly<Record<string, MediaFailure["kind"]>> = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
};

/** The reason behind a rejection of `getUserMedia` or `getDisplayMedia`. */
export function mediaFailureOf(thrown: unknown): MediaFailure {
  return { kind: (thrown instanceof Error ? kinds[thrown.name] : undefined) ?? "failed" };
}

/** Stops every track, so that the device's light goes out. */
export function letGo(stream: MediaStream | null | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
