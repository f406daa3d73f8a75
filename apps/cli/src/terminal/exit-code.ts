import type { ErrorCode } from "@warren/protocol";

/** The exit codes of every command. */
export const exitCodes = {
  done: 0,
  usage: 1,
  refused: 2,
  wrongPassword: 3,
  noPath: 4,
  disk: 5,
  interrupted: 6,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const byError: Readonly<Partial<Record<ErrorCode, ExitCode>>> = {
  "transfer-declined": exitCodes.refused,
  "transfer-cancelled": exitCodes.refused,
  "not-admitted": exitCodes.refused,
  "approval-needed": exitCodes.refused,
  "room-full": exitCodes.refused,
  "rate-limited": exitCodes.refused,
  "incorrect-password": exitCodes.wrongPassword,
  "password-required": exitCodes.wrongPassword,
  "room-is-open": exitCodes.wrongPassword,
  "storage-full": exitCodes.disk,
  "storage-failed": exitCodes.disk,
  "not-enough-space": exitCodes.disk,
  "db-not-initialized": exitCodes.disk,
  "source-changed": exitCodes.disk,
  "source-missing": exitCodes.disk,
};

/** How the program ends with an error. What is not listed kept both sides from each other. */
export function exitCodeOf(code: ErrorCode): ExitCode {
  return byError[code] ?? exitCodes.noPath;
}

/** The program cannot do what it was asked to; `message` is a sentence for the person. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.usage) {
    super(message);
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}

/** The person stopped the program. */
export function interrupted(): CommandError {
  return new CommandError("Stopped. The same command goes on from here.", exitCodes.interrupted);
}
