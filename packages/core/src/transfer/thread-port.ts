import type { EventSource } from "../shared/emitter.ts";

/**
 * One end of the message port between a page and its own worker. Both come from one build, so the other side's messages
 * are typed, not parsed.
 */
export interface ThreadPort<Sent extends object, Received> extends EventSource<{ message: [Received] }> {
  post(message: Sent, transfer?: readonly Transferable[]): void;
}
