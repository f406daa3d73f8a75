import { randomBytes } from "node:crypto";
import type { SealedSignal, SealedSignalOf } from "@warren/protocol";

type Step = Exclude<SealedSignal["type"], "box">;

const bytes = (count: number) => randomBytes(count).toString("base64url");

/** A sealed offer with this many meaningless bytes. */
export function testBox(sizeBytes = 600): SealedSignalOf<"box"> {
  return { type: "box", run: bytes(16), seq: 1, kind: "offer", box: bytes(sizeBytes) };
}

/** A handshake message with meaningless fields of the right size, of a run of its own unless one is given. */
export function testStep(type: Step, run = bytes(16)): SealedSignal {
  switch (type) {
    case "hs1":
      return { type, run, v: 1, C: bytes(32) };
    case "hs2":
      return { type, run, rB: bytes(16), fpB: bytes(32), idPubB: bytes(91), Yb: bytes(32) };
    case "hs3":
      return {
        type,
        run,
        rA: bytes(16),
        fpA: bytes(32),
        idPubA: bytes(91),
        Ya: bytes(32),
        Ta: bytes(32),
        sig: bytes(80),
      };
    case "hs4":
      return { type, run, Tb: bytes(32), sig: bytes(80) };
  }
}
