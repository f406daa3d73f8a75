/** Why a camera, a microphone or a screen was not opened. */
export type MediaFailure =
  | { readonly kind: "denied" | "missing" }
  /** Used by another program, or silent for a reason of its own. */
  | { readonly kind: "busy" | "failed"; readonly reason: string };

const kinds: Readonly<Record<string, MediaFailure["kind"]>> = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
};

/** What a rejection of `getUserMedia` or `getDisplayMedia` means. */
export function mediaFailureOf(thrown: unknown): MediaFailure {
  const { name, message } = thrown instanceof Error ? thrown : { name: "", message: String(thrown) };
  return { kind: kinds[name] ?? "failed", reason: message };
}

/** Stops every track, so that the device's light goes out. */
export function letGo(stream: MediaStream | null | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
