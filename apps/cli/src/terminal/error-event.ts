import { WarrenError } from "@warren/protocol";
import { isFullDisk, storageErrorOf, systemCodeOf } from "../platform/disk-error.ts";
import type { CommandEvent } from "./events.ts";
import { CommandError, exitCodeOf, exitCodes } from "./exit-code.ts";

const sentences: Readonly<Partial<Record<WarrenError["code"], string>>> = {
  "incorrect-password": "Wrong password.",
  "password-required": "The room has a password: use the whole link, with what follows the #.",
  "room-is-open": "The link has a password, but the room has none.",
  "signalling-unreachable": "No Warren server answers there. `warren doctor` tells more.",
  "storage-full": "The disk is full. The same command goes on once there is space.",
  "not-enough-space": "There is not enough space on the disk.",
  "no-session": "Nobody is here who could get it.",
  "not-admitted": "Nobody in the room answered.",
  "source-changed": "What was being sent has changed there, or cannot be read.",
};

/** Why the program ends, or what went wrong. Errors that nobody foresaw come with the place they came from. */
export function errorEventOf(thrown: unknown): Extract<CommandEvent, { event: "error" }> {
  if (thrown instanceof CommandError)
    return { event: "error", code: "command", message: thrown.message, exitCode: thrown.exitCode };
  if (thrown instanceof WarrenError) {
    const { code, message } = thrown;
    const sentence = sentences[code] ?? `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
    return { event: "error", code, message: sentence, exitCode: exitCodeOf(code) };
  }
  const code = systemCodeOf(thrown);
  if (isFullDisk(thrown)) return errorEventOf(storageErrorOf(thrown));
  if (code === "EPIPE")
    return {
      event: "error",
      code,
      message: "What read the output has gone.",
      exitCode: exitCodes.interrupted,
    };
  const message =
    code === null && thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  const exitCode = code === null ? exitCodes.usage : exitCodes.disk;
  return { event: "error", code: code ?? "unknown", message, exitCode };
}
