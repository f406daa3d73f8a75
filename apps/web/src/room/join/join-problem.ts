import type { ErrorCode, ErrorDescription } from "@warren/protocol";

/** The fix for a failed join. It is shown where the room is joined, so these failures need no toast. */
const fixes = {
  "password-required": "password",
  "incorrect-password": "password",
  "room-is-open": "no-password",
  "not-admitted": "retry",
} as const satisfies Partial<Record<ErrorCode, string>>;

export interface JoinProblem {
  readonly error: ErrorDescription;
  readonly fix: (typeof fixes)[keyof typeof fixes];
}

/** An error as a failed join that can be fixed in place; null for any other. */
export function joinProblemOf(error: ErrorDescription | null): JoinProblem | null {
  if (error === null || !Object.hasOwn(fixes, error.code)) return null;
  return { error, fix: fixes[error.code as keyof typeof fixes] };
}

/** Whether a banner or the join form shows an error, because it lasts: no toast does then. */
export function isShownLastingly(error: ErrorDescription): boolean {
  return (
    error.code === "signalling-replaced" || error.code === "another-version" || joinProblemOf(error) !== null
  );
}
