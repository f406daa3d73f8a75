import type { Unsubscribe } from "../shared/emitter.ts";

/**
 * One end of the wire between a page and its own worker. Both are of one build, so each side's type is what the other
 * sends, and nothing is parsed.
 */
export interface ThreadPort<Sent extends object, Received> {
  post(message: Sent, transfer?: readonly Transferable[]): void;
  onMessage(listener: (message: Received) => void): Unsubscribe;
}
