import type { Unsubscribe } from "../shared/emitter.ts";

/** One end of the wire between a page and its worker. What arrives is as foreign as any input until it is parsed. */
export interface ThreadPort {
  post(message: object, transfer?: readonly Transferable[]): void;
  onMessage(listener: (message: unknown) => void): Unsubscribe;
}
