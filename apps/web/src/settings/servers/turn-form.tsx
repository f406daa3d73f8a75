import { type TurnServer, turnServerSchema } from "@warren/core";
import { v } from "@warren/protocol";
import { type FormEvent, useState } from "react";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/fields/password-field.tsx";
import { Segmented } from "../../ui/fields/segmented.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { CheckTag } from "./check-tag.tsx";
import { checkText } from "./check-text.ts";
import type { ServerChecks } from "./use-server-checks.ts";

const methods = ["longterm", "hmac", "cloudflare"] as const;
const empty: TurnServer = { authMethod: "longterm", url: "", username: "", password: "" };
const cloudflareUrl = "turn:turn.cloudflare.com:3478";

/** The labels of the two credential fields, by method. */
const fieldWords = {
  longterm: { username: "username", password: "password", hint: undefined },
  hmac: { username: "username", password: "secret", hint: "secretHint" },
  cloudflare: { username: "keyId", password: "token", hint: "tokenHint" },
} as const;

interface TurnFormProps {
  readonly initial?: TurnServer;
  /** Addresses that are already used. */
  readonly otherUrls: readonly string[];
  readonly checks: ServerChecks;
  readonly onSubmit: (turn: TurnServer) => void;
  readonly onRemove?: () => void;
  readonly onCancel: () => void;
}

/** The fields of a TURN server. */
export function TurnForm({
  initial = empty,
  otherUrls,
  checks,
  onSubmit,
  onRemove,
  onCancel,
}: TurnFormProps) {
  const t = useT();
  const [turn, setTurn] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  /** Why the browser did not accept the address that was submitted. */
  const [refusal, setRefusal] = useState<string>();
  const words = fieldWords[turn.authMethod];
  const trimmed: TurnServer = { ...turn, url: turn.url.trim(), username: turn.username.trim() };
  const urlProblem = !v.is(turnServerSchema.entries.url, trimmed.url)
    ? t("settingsConnection.addressInvalid")
    : otherUrls.includes(trimmed.url)
      ? t("settingsConnection.addressKnown")
      : refusal;
  const usernameProblem = trimmed.username === "" ? t("settingsConnection.usernameNeeded") : undefined;
  const isUsable =
    urlProblem === undefined && usernameProblem === undefined && v.is(turnServerSchema, trimmed);
  const check = checks.of(trimmed);

  const chooseMethod = (authMethod: TurnServer["authMethod"]): void => {
    const needsUrl = authMethod === "cloudflare" && trimmed.url === "";
    setTurn({ ...turn, authMethod, ...(needsUrl && { url: cloudflareUrl }) });
    setRefusal(undefined);
  };
  const whenUsable = (action: () => void): void => {
    setChecked(true);
    if (!isUsable) return;
    const refused = checks.refusalOf(trimmed);
    if (refused === null) action();
    else setRefusal(errorText(refused));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    whenUsable(() => onSubmit(trimmed));
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3.5 p-3.5">
      <div>
        <p className="mb-1.5 font-medium text-compact">{t("settingsConnection.method")}</p>
        <Segmented
          label={t("settingsConnection.method")}
          value={turn.authMethod}
          options={methods.map((value) => ({ value, label: t(`settingsConnection.${value}`) }))}
          onChange={chooseMethod}
          className="max-w-full"
        />
      </div>
      <TextField
        label={t("settingsConnection.address")}
        placeholder="turn:"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={turn.url}
        autoFocus={initial === empty}
        hint={turn.authMethod === "cloudflare" ? t("settingsConnection.addressHintCloudflare") : undefined}
        error={isChecked ? urlProblem : undefined}
        onChange={(event) => {
          setTurn({ ...turn, url: event.target.value });
          setRefusal(undefined);
        }}
      />
      <div className="grid gap-3.5 md:grid-cols-2">
        <TextField
          label={t(`settingsConnection.${words.username}`)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={512}
          value={turn.username}
          error={isChecked ? usernameProblem : undefined}
          onChange={(event) => setTurn({ ...turn, username: event.target.value })}
        />
        <PasswordField
          label={t(`settingsConnection.${words.password}`)}
          maxLength={512}
          value={turn.password}
          hint={words.hint === undefined ? undefined : t(`settingsConnection.${words.hint}`)}
          onChange={(event) => setTurn({ ...turn, password: event.target.value })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary">
          {t("settingsConnection.saveServer")}
        </Button>
        <Button loading={check?.status === "testing"} onClick={() => whenUsable(() => checks.run(trimmed))}>
          {t("settingsConnection.test")}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
        {onRemove !== undefined && (
          <Button variant="danger-text" onClick={onRemove} className="ml-auto">
            {t("common.remove")}
          </Button>
        )}
      </div>
      {initial.url !== trimmed.url && (
        <p className="flex items-center gap-2 text-compact text-text-2">
          <CheckTag check={check} />
          {checkText(check, t)}
        </p>
      )}
    </form>
  );
}
