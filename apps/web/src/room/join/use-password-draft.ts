import { profileFields } from "@warren/core";
import { type ErrorDescription, v } from "@warren/protocol";
import { useEffect, useRef, useState } from "react";
import { useRoom } from "../../wiring/warren-context.ts";
import { type JoinProblem, joinProblemOf } from "./join-problem.ts";

/**
 * Why the last attempt to join failed. It stays during the next attempt, so that the layout does not shift.
 */
function useJoinProblem(): JoinProblem | null {
  const room = useRoom();
  const [last, setLast] = useState<ErrorDescription | null>(null);
  const now = room.status === "disconnected" ? room.error : last;
  if (now !== last) setLast(now);
  return joinProblemOf(now);
}

/** The password typed after the room has asked for one, or refused ours. */
export function usePasswordDraft() {
  const problem = useJoinProblem();
  const [password, setPassword] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const asked = problem?.fix === "password" ? problem.error : null;
  // Each refusal empties the field, so that a wrong password is not sent again.
  useEffect(() => {
    if (asked === null) return;
    setPassword("");
    field.current?.focus();
  }, [asked]);
  return {
    problem,
    password,
    setPassword,
    field,
    /**
     * The profile change to store before joining: the password if one is required, null while no usable one has been
     * typed.
     */
    change: (): { readonly password?: string } | null => {
      if (asked === null) return {};
      if (password !== "" && v.is(profileFields.password, password)) return { password };
      field.current?.focus();
      return null;
    },
  };
}
