import type { PeerMessage } from "@warren/protocol";

/** What the peer has sent on a connection so far: nothing, its proof, or its proof and its profile. */
export type Progress = "nothing" | "proof" | "profile";

/** `consumed` is the proof itself; `early` violates the protocol; `forged` ends the connection. */
type Decision = "admitted" | "consumed" | "early" | "forged";

type Rule = readonly [decision: Decision, next: Progress];

/** The proof comes first and once, then the profile, then everything else. */
const rules: Readonly<Record<Progress, Readonly<Record<"proof" | "profile" | "other", Rule>>>> = {
  nothing: {
    proof: ["consumed", "proof"],
    profile: ["forged", "nothing"],
    other: ["forged", "nothing"],
  },
  proof: {
    proof: ["forged", "proof"],
    profile: ["admitted", "profile"],
    other: ["early", "proof"],
  },
  profile: {
    proof: ["forged", "profile"],
    profile: ["admitted", "profile"],
    other: ["admitted", "profile"],
  },
};

/**
 * Decides on a message of a connection, and gives the state after it. A link without a handshake has nothing to prove and
 * starts with `proof`.
 */
export function admit(
  progress: Progress,
  message: PeerMessage,
  isValidProof: (proof: string) => boolean,
): Rule {
  if (message.type !== "bind") return rules[progress][message.type === "profile" ? "profile" : "other"];
  return isValidProof(message.proof) ? rules[progress].proof : ["forged", progress];
}
