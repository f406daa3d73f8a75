export { createInitiator } from "./initiator.ts";
export { createResponder } from "./responder.ts";
