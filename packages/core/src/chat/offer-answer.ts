import { type MessageId, WarrenError } from "@warren/protocol";
import type { OutgoingMessage } from "../room/outgoing-message.ts";
import { waitsForTurn } from "./file-messages.ts";
import type { FileMessage } from "./message.ts";
import { errorAnswer } from "./wire-error.ts";

/** Says to the sender of an offer that it is here, and that a person has still to decide. */
export function pendingAnswer(id: MessageId): Extract<OutgoingMessage, { type: "check-message" }> {
  return { type: "check-message", id, pending: true };
}

/** Says to the sender of an offer that it was accepted and waits for its turn here. */
export function acceptedAnswer(id: MessageId): OutgoingMessage {
  return { ...pendingAnswer(id), accepted: true };
}

/** Says to the sender of an offer how it stands here, while nothing of it comes. */
export function offerAnswer({ id, client, transfers }: FileMessage): OutgoingMessage {
  const state = transfers[client];
  if (state?.status === "error")
    return errorAnswer(id, new WarrenError(state.error.code, state.error.values));
  return waitsForTurn(state) ? acceptedAnswer(id) : pendingAnswer(id);
}
