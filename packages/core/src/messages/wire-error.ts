import {
  type ErrorDescription,
  isErrorCode,
  limits,
  type PeerMessageOf,
  truncated,
  type WarrenError,
} from "@warren/protocol";
import type { OutgoingMessage } from "../session/message-channel.ts";

/** The error answer for a message that failed here, within the size limits the other side enforces. */
export function errorAnswer(id: string, error: WarrenError): OutgoingMessage {
  const values = Object.entries(error.values)
    .slice(0, limits.errorValues)
    .map(([name, value]) => [name, typeof value === "string" ? truncated(value, 256) : value]);
  return {
    type: "error",
    id,
    error: truncated(error.message, limits.errorTextLength),
    code: error.code,
    values: Object.fromEntries(values),
  };
}

/** Describes the error the other side reported; an unknown code keeps its message. */
export function describeWireError(message: PeerMessageOf<"error">): ErrorDescription {
  const { code = "unknown", error, values = {} } = message;
  return isErrorCode(code) ? { code, values } : { code: "unknown", values: { text: error } };
}
