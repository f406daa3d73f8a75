import type { Call } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useOptionalStore, useStore, useWarren } from "../wiring/warren-context.ts";

/** A call of two: only they take part, whoever else is in the room. */
export interface PrivateCall {
  readonly other: ClientId;
  readonly phase: "calling" | "connecting" | "talking";
  /** Whether it was begun with video, or I have turned on my camera. */
  readonly isVideo: boolean;
}

/** The call of two that one is in, from the moment the other is called; null without one. */
export function usePrivateCall(call: Call | null): PrivateCall | null {
  const { ringing } = useWarren().call;
  const { outgoing, partner } = useStore(ringing.store);
  const isTalking = useOptionalStore(call?.store, ({ sinceMs }) => sinceMs !== null) === true;
  const hasCamera = useOptionalStore(call?.store, ({ local }) => local.some(({ kind }) => kind === "camera"));
  const isVideo = outgoing?.video ?? hasCamera === true;
  if (partner !== null) return { other: partner, phase: isTalking ? "talking" : "connecting", isVideo };
  const [called] = outgoing?.toRoom === false ? outgoing.waiting : [];
  return called === undefined ? null : { other: called, phase: "calling", isVideo };
}
