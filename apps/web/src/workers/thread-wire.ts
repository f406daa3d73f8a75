import type { ThreadPort } from "@warren/core";

/** The wires between a page and its transfer worker. */
type WireName = "files" | "transfers";

/** A worker as seen by its page, or the worker's own global scope. */
export interface WireEnd {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

/**
 * One of several wires multiplexed over a worker's only channel: data channels can be transferred only there.
 */
export function openWire<Sent extends object, Received>(
  end: WireEnd,
  name: WireName,
): ThreadPort<Sent, Received> {
  return {
    post: (message, transfer = []) => end.postMessage({ wire: name, message }, [...transfer]),
    on(_message, listener) {
      // A page sends null to test whether a data channel can be transferred.
      const receive = ({ data }: MessageEvent<{ wire: WireName; message: Received } | null>) => {
        if (data?.wire === name) listener(data.message);
      };
      end.addEventListener("message", receive);
      return () => end.removeEventListener("message", receive);
    },
  };
}
