import { type Servers, serverCountMax, serverHosts, stunUrlSchema } from "@warren/core";
import { v } from "@warren/protocol";
import { type FormEvent, useState } from "react";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { DeleteIcon, LanguageIcon } from "../../ui/icons.ts";
import { CheckTag } from "./check-tag.tsx";
import { checkText } from "./check-text.ts";
import { ServerGroup, serverCardClass, serverLineClass, serverTextClass } from "./server-group.tsx";
import type { ServerChecks } from "./use-server-checks.ts";

interface StunServersProps {
  readonly stuns: Servers["stuns"];
  readonly checks: ServerChecks;
  readonly onChange: (stuns: Servers["stuns"]) => void;
}

/** The list of STUN servers. */
export function StunServers({ stuns, checks, onChange }: StunServersProps) {
  const t = useT();
  const [isAdding, setAdding] = useState(false);
  return (
    <ServerGroup
      title={t("settingsConnection.stunTitle")}
      line={t("settingsConnection.stunLine")}
      none={t("settingsConnection.stunNone")}
      isEmpty={stuns.length === 0 && !isAdding}
      addLabel={t("settingsConnection.addStun")}
      addDisabledReason={
        stuns.length >= serverCountMax ? t("settingsConnection.full", { count: serverCountMax }) : undefined
      }
      onAdd={() => setAdding(true)}
    >
      {stuns.map((url) => {
        const check = checks.ofSaved(url);
        const host = serverHosts({ stuns: [url], turns: [] })[0] ?? url;
        return (
          <div key={url} className={`${serverCardClass} ${serverLineClass}`}>
            <LanguageIcon size={18} className="text-text-2" />
            <div className={serverTextClass}>
              <code className="block break-all font-mono">{url}</code>
              <p className="text-meta text-text-2">{checkText(check, t)}</p>
            </div>
            <CheckTag check={check} />
            <Button variant="ghost" size="sm" onClick={() => checks.run(url)}>
              {t("settingsConnection.test")}
            </Button>
            <IconButton
              icon={DeleteIcon}
              label={t("settingsConnection.removeServer", { host })}
              onClick={() => onChange(stuns.filter((other) => other !== url))}
            />
          </div>
        );
      })}
      {isAdding && (
        <StunForm
          known={stuns}
          checks={checks}
          onCancel={() => setAdding(false)}
          onSubmit={(url) => {
            onChange([...stuns, url]);
            setAdding(false);
          }}
        />
      )}
    </ServerGroup>
  );
}

interface StunFormProps {
  readonly known: readonly string[];
  readonly checks: ServerChecks;
  readonly onSubmit: (url: string) => void;
  readonly onCancel: () => void;
}

function StunForm({ known, checks, onSubmit, onCancel }: StunFormProps) {
  const t = useT();
  const [url, setUrl] = useState("");
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const address = url.trim();
    const refusal = checks.refusalOf(address);
    if (!v.is(stunUrlSchema, address)) setProblem(t("settingsConnection.stunInvalid"));
    else if (known.includes(address)) setProblem(t("settingsConnection.stunKnown"));
    else if (refusal !== null) setProblem(errorText(refusal));
    else onSubmit(address);
  };
  return (
    <form noValidate onSubmit={submit} className={`${serverCardClass} flex flex-col gap-3 p-3.5`}>
      <TextField
        label={t("settingsConnection.stunAddress")}
        placeholder="stun:"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={url}
        error={problem}
        onChange={(event) => {
          setUrl(event.target.value);
          setProblem(undefined);
        }}
      />
      <div className="flex gap-2">
        <Button type="submit" variant="primary">
          {t("settingsConnection.saveServer")}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
