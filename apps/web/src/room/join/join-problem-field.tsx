import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/fields/password-field.tsx";
import { FieldError } from "../../ui/fields/text-field.tsx";
import { useWarren } from "../../wiring/warren-context.ts";
import { useRoomActions } from "../use-room-actions.ts";
import type { JoinProblem } from "./join-problem.ts";
import type { usePasswordDraft } from "./use-password-draft.ts";

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
