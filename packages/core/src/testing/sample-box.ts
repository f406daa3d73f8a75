import type { SealedSignalOf } from "@warren/protocol";
import { encodeBase64url, utf8 } from "../handshake/crypto/encoding.ts";

/** A sealed signal as a backend sees it; `content` identifies it. */
export function sampleBox(kind: "offer" | "answer" | "candidate", content: string): SealedSignalOf<"box"> {
  return { type: "box", run: "r".repeat(22), seq: 0, kind, box: encodeBase64url(utf8(content)) };
}
