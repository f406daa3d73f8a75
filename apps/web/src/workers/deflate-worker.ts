import { deflate } from "@warren/core";
import { decodeValue } from "@warren/protocol";
import { deflateRequestSchema } from "./deflate-messages.ts";

declare const self: DedicatedWorkerGlobalScope;

self.addEventListener("message", async ({ data }: MessageEvent<unknown>) => {
  const decoded = decodeValue(deflateRequestSchema, data);
  if (!decoded.ok) return;
  const { id, bytes } = decoded.value;
  const deflated = await deflate(bytes).catch(() => null);
  self.postMessage({ id, deflated }, deflated ? [deflated.buffer] : []);
});
