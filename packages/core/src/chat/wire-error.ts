import {
  type ErrorDescription,
  isErrorCode,
  limits,
  type PeerMessageOf,
  type WarrenError,
} from "@warren/protocol";
import type { OutgoingMessage } from "../connection/message-channel.ts";

/** The answer to a message that failed here, within the limits the other side holds it to. */
export function errorAnswer(id: string, error: WarrenError): OutgoingMessage {
  const values = Object.entries(error.values)
    .slice(0, limits.errorValues)
    .map(([name, value]) => [name, typeof value === "string" ? value.slice(0, 256) : value]);
  return {
    type: "error",
    id,
    error: error.message.slice(0, limits.errorTextLength),
    code: error.code,
    values: Object.fromEntries(values),
  };
}

/** What the other side says went wrong; a code we do not know keeps its words. */
export function describeWireError(message: PeerMessageOf<"error">): ErrorDescription {
  const { code = "unknown", error, values = {} } = message;
  return isErrorCode(code) ? { code, values } : { code: "unknown", values: { text: error } };
}

/** Whether the other side has still to hear of an error: a lost connection it saw, and giving up has its own message. */
export function isNews(code: ErrorDescription["code"]): boolean {
  return code !== "connection-closed" && code !== "transfer-cancelled";
}
