import { profileFields } from "@warren/core";
import { type ErrorDescription, v } from "@warren/protocol";
import { useEffect, useRef, useState } from "react";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/fields/password-field.tsx";
import { FieldError } from "../../ui/fields/text-field.tsx";
import { useRoom, useWarren } from "../../wiring/warren-context.tsx";
import { useRoomActions } from "../use-room-actions.ts";
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

interface JoinProblemFieldProps {
  readonly draft: ReturnType<typeof usePasswordDraft>;
}

/** Shows why the last join failed, and how to fix it, until the next one ends; renders nothing otherwise. */
export function JoinProblemField({ draft }: JoinProblemFieldProps) {
  const { problem, password, setPassword, field } = draft;
  const t = useT();
  if (problem === null) return null;
  if (problem.fix !== "password") return <Unasked problem={problem} />;
  return (
    <PasswordField
      large
      ref={field}
      label={t("arrival.password")}
      value={password}
      onChange={(event) => setPassword(event.target.value)}
      maxLength={256}
      error={errorText(problem.error)}
      showLabel={t("arrival.showPassword")}
      hideLabel={t("arrival.hidePassword")}
    />
  );
}

function Unasked({ problem }: { readonly problem: JoinProblem }) {
  const t = useT();
  const { profile } = useWarren();
  const { join } = useRoomActions();
  return (
    <div role="alert" className="flex flex-col items-start gap-2">
      <FieldError>{errorText(problem.error)}</FieldError>
      {problem.fix === "no-password" && (
        <Button
          onClick={() => {
            profile.update({ password: null });
            void join();
          }}
        >
          {t("connection.withoutPassword")}
        </Button>
      )}
    </div>
  );
}
