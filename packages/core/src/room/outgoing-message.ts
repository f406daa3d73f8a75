import type { ClientId, MessageId, PeerMessage } from "@warren/protocol";
import { randomUuid } from "../shared/ids.ts";

type Envelope = "id" | "client" | "target" | "createdAt";
type WithoutEnvelope<M> = M extends PeerMessage ? Omit<M, Envelope> : never;

/** A message before the room addresses it; an answer carries the id of what it answers, others get a new one. */
export type OutgoingMessage = WithoutEnvelope<PeerMessage> & {
  readonly id?: MessageId;
  readonly createdAt?: number;
};

/** Completes a message. @param now ms since the epoch. */
export function addressMessage(
  outgoing: OutgoingMessage,
  client: ClientId,
  target: ClientId,
  now: number,
): PeerMessage {
  return {
    ...outgoing,
    id: outgoing.id ?? randomUuid(),
    createdAt: outgoing.createdAt ?? now,
    client,
    target,
  };
}
