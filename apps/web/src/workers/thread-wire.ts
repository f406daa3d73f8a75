import type { ThreadPort } from "@warren/core";

/** The wires between a page and its transfer worker: what each carries is parsed by who listens to it. */
type WireName = "files" | "transfers";

/** A worker as its page has it, or the global scope of the worker itself. */
interface WireEnd {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void): void;
}

/** One of several wires that share a worker's only channel: data channels can travel on no other. */
export function openWire(end: WireEnd, name: WireName): ThreadPort {
  return {
    post: (message, transfer = []) => end.postMessage({ wire: name, message }, [...transfer]),
    onMessage(listener) {
      const hear = ({ data }: MessageEvent<unknown>) => {
        if (
          typeof data === "object" &&
          data !== null &&
          "wire" in data &&
          "message" in data &&
          data.wire === name
        )
          listener(data.message);
      };
      end.addEventListener("message", hear);
      return () => end.removeEventListener("message", hear);
    },
  };
}
