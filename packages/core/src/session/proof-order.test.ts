import type { PeerMessage } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { addressed } from "../testing/addressed.ts";
import { annId, benId } from "../testing/session-pair.ts";
import { admit, type Progress } from "./proof-order.ts";

const messages = {
  "a right proof": addressed({ type: "bind", proof: "right" }, benId, annId, 0),
  "a wrong proof": addressed({ type: "bind", proof: "wrong" }, benId, annId, 0),
  "a profile": addressed({ type: "profile", name: "Ben", avatar: null }, benId, annId, 0),
  "a text": addressed({ type: "send-text", data: "Hello" }, benId, annId, 0),
  "an end": addressed({ type: "end" }, benId, annId, 0),
} satisfies Record<string, PeerMessage>;

describe("the order of a connection's first messages", () => {
  it.each([
    ["nothing", "a right proof", "consumed", "proof"],
    ["nothing", "a wrong proof", "forged", "nothing"],
    ["nothing", "a profile", "forged", "nothing"],
    ["nothing", "a text", "forged", "nothing"],
    ["nothing", "an end", "forged", "nothing"],
    ["proof", "a right proof", "forged", "proof"],
    ["proof", "a wrong proof", "forged", "proof"],
    ["proof", "a profile", "admitted", "profile"],
    ["proof", "a text", "early", "proof"],
    ["proof", "an end", "early", "proof"],
    ["profile", "a right proof", "forged", "profile"],
    ["profile", "a wrong proof", "forged", "profile"],
    ["profile", "a profile", "admitted", "profile"],
    ["profile", "a text", "admitted", "profile"],
    ["profile", "an end", "admitted", "profile"],
  ] as const)("after %s, %s is %s", (progress: Progress, message, decision, next) => {
    expect(admit(progress, messages[message], (proof) => proof === "right")).toEqual([decision, next]);
  });
});
