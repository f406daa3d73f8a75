import type { closeCodes, SignallingErrorCode } from "@warren/protocol";
import type { RefusalReason } from "./relay/relay.ts";

/** How a client learns that it may not enter or remain in a room: by an error, or by the close of its socket. */
export type Refusal = { readonly error: SignallingErrorCode } | { readonly close: keyof typeof closeCodes };

/** The answer to each reason; a close has the reason as its text. */
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
