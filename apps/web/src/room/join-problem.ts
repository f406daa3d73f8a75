import type { ErrorCode, ErrorDescription } from "@warren/protocol";

/** The fix for a failed join. It is shown where the room is joined, so these failures need no toast. */
const cures = {
  "password-required": "password",
  "incorrect-password": "password",
  "room-is-open": "no-password",
  "not-admitted": "retry",
} as const satisfies Partial<Record<ErrorCode, string>>;

export interface JoinProblem {
  readonly error: ErrorDescription;
  readonly cure: (typeof cures)[keyof typeof cures];
}

/** An error as a failed join that can be fixed in place; null for any other. */
export function joinProblemOf(error: ErrorDescription | null): JoinProblem | null {
  if (error === null || !Object.hasOwn(cures, error.code)) return null;
  return { error, cure: cures[error.code as keyof typeof cures] };
}

/** Whether a banner or the join form shows an error, because it lasts: no toast does then. */
export function isShownLastingly(error: ErrorDescription): boolean {
  return (
    error.code === "signalling-replaced" || error.code === "another-version" || joinProblemOf(error) !== null
  );
}
