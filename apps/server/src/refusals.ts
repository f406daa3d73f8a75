import type { closeCodes, SignallingErrorCode } from "@warren/protocol";
import type { RefusalReason } from "./relay/relay.ts";

/** What a client receives that may not enter a room, or not remain: an error on its socket, or the end of it. */
export type Refusal = { readonly error: SignallingErrorCode } | { readonly close: keyof typeof closeCodes };

/** The answer to each reason; a close carries the reason as its text. */
export const refusals: { readonly [R in RefusalReason]: Refusal } = {
  "already-in-room": { error: "already-in-room" },
  "room-full": { error: "room-full" },
  "rate-limited": { error: "rate-limited" },
  identity: { close: "forbidden" },
  "password-required": { close: "passwordRequired" },
  "room-is-open": { close: "roomIsOpen" },
  "too-many-attempts": { close: "rateLimited" },
  "incorrect-password": { close: "forbidden" },
  "not-admitted": { close: "forbidden" },
  "room-gone": { close: "overloaded" },
  "room-reclaimed": { close: "overloaded" },
  unavailable: { close: "overloaded" },
};
