import type { ClientId, PeerMessage } from "@warren/protocol";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { randomUuid } from "../shared/ids.ts";

/** A message as completed by its channel. @param createdAt ms since the epoch. */
export function addressed(
  outgoing: OutgoingMessage,
  client: ClientId,
  target: ClientId,
  createdAt: number,
): PeerMessage {
  return { id: randomUuid(), createdAt, ...outgoing, client, target };
}
