import { type Servers, serverCountMax } from "@warren/core";
import { type ErrorDescription, WarrenError } from "@warren/protocol";
import { type FormEvent, useState } from "react";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { parseTurnServers } from "./parse-turn-servers.ts";
import { serverCardClass } from "./server-group.tsx";
import type { ServerChecks } from "./use-server-checks.ts";

interface PasteFormProps {
  readonly known: Servers["turns"];
  readonly checks: ServerChecks;
  /** Receives the known servers and the new ones. */
  readonly onSubmit: (turns: Servers["turns"]) => void;
  readonly onCancel: () => void;
}

/** Accepts TURN servers as JSON, in the form that links and other tools use. */
export function PasteForm({ known, checks, onSubmit, onCancel }: PasteFormProps) {
  const t = useT();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const parsed = parseTurnServers(text);
    if ("problem" in parsed) {
      setProblem(parsed.problem);
      return;
    }
    const refused = parsed.turns.map(checks.refusalOf).find((refusal) => refusal !== null);
    if (refused) {
      setProblem(refused);
      return;
    }
    const byUrl = new Map([...known, ...parsed.turns].map((turn) => [turn.url, turn]));
    if (byUrl.size > serverCountMax) setProblem("full");
    else onSubmit([...byUrl.values()]);
  };
  return (
    <form noValidate onSubmit={submit} className={`${serverCardClass} flex flex-col gap-3 p-3.5`}>
      <TextField
        label={t("settingsConnection.pasteField")}
        hint={<span className="break-words">{t("settingsConnection.pasteHint")}</span>}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={text}
        error={problem && <PasteProblem problem={problem} />}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
      />
      <div className="flex gap-2">
        <Button type="submit" variant="primary">
          {t("settingsConnection.pasteAdd")}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}

/** The description of an error: the browser does not accept one of them. */
type Problem = "method" | "json" | "full" | ErrorDescription;

function PasteProblem({ problem }: { readonly problem: Problem }) {
  const t = useT();
  if (typeof problem === "object") return errorText(problem);
  if (problem === "full") return t("settingsConnection.full", { count: serverCountMax });
  if (problem === "json") return t("settingsConnection.pasteInvalid");
  return (
    <span>
      {t("settingsConnection.methodUnknown")} <UnknownMethod />
    </span>
  );
}

const { message: unknownMethod } = new WarrenError("invalid-turn-method");

/** The technical text for a TURN server with an unknown way to sign in. */
export function UnknownMethod() {
  return <code>{unknownMethod}</code>;
}
