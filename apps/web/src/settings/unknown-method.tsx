import { WarrenError } from "@warren/protocol";

const { message } = new WarrenError("invalid-turn-method");

/** The technical text for a TURN server with an unknown way to sign in. */
export function UnknownMethod() {
  return <code>{message}</code>;
}
