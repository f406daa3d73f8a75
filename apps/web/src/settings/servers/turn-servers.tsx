import { type Servers, serverCountMax, type TurnServer } from "@warren/core";
import { useEffect, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { isAddTurn } from "../../room/add-turn-button.tsx";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ChevronRightIcon, ServerIcon } from "../../ui/icons.ts";
import { CheckTag } from "./check-tag.tsx";
import { checkText } from "./check-text.ts";
import { PasteForm } from "./paste-form.tsx";
import { ServerGroup, serverCardClass, serverLineClass, serverTextClass } from "./server-group.tsx";
import { TurnForm } from "./turn-form.tsx";
import type { ServerChecks } from "./use-server-checks.ts";

interface TurnServersProps {
  readonly turns: Servers["turns"];
  readonly checks: ServerChecks;
  readonly onChange: (turns: Servers["turns"]) => void;
}

/** The open form: of the server with this address, of a new one, or for pasting JSON. */
type Opened = { readonly edit: string } | "new" | "paste" | null;

/** The list of TURN servers; one form is open at a time. */
export function TurnServers({ turns, checks, onChange }: TurnServersProps) {
  const t = useT();
  const [opened, setOpened] = useState<Opened>(null);
  const wish = useHistoryState<unknown>();
  useEffect(() => {
    if (isAddTurn(wish)) setOpened("new");
  }, [wish]);
  const isFull = turns.length >= serverCountMax;
  const close = (): void => setOpened(null);
  const save = (next: Servers["turns"]): void => {
    onChange(next);
    close();
  };
  return (
    <ServerGroup
      title={t("settingsConnection.turnTitle")}
      line={t("settingsConnection.turnLine")}
      none={t("settingsConnection.turnNone")}
      isEmpty={turns.length === 0 && opened === null}
      addLabel={t("settingsConnection.addTurn")}
      addDisabledReason={isFull ? t("settingsConnection.full", { count: serverCountMax }) : undefined}
      onAdd={() => setOpened("new")}
      actions={
        !isFull && (
          <Button variant="ghost" size="sm" onClick={() => setOpened("paste")}>
            {t("settingsConnection.paste")}
          </Button>
        )
      }
    >
      {turns.map((turn) => {
        const isOpen = opened !== null && typeof opened === "object" && opened.edit === turn.url;
        return (
          <div key={turn.url} className={serverCardClass}>
            <TurnSummary
              turn={turn}
              checks={checks}
              isOpen={isOpen}
              onToggle={() => setOpened(isOpen ? null : { edit: turn.url })}
            />
            {isOpen && (
              <TurnForm
                initial={turn}
                otherUrls={turns.filter((other) => other !== turn).map(({ url }) => url)}
                checks={checks}
                onSubmit={(changed) => save(turns.map((other) => (other === turn ? changed : other)))}
                onRemove={() => save(turns.filter((other) => other !== turn))}
                onCancel={close}
              />
            )}
          </div>
        );
      })}
      {opened === "new" && (
        <div className={serverCardClass}>
          <p className="flex items-center gap-2.5 px-3.5 pt-3.5 font-medium">
            <ServerIcon size={18} className="text-text-2" />
            {t("settingsConnection.newTurn")}
          </p>
          <TurnForm
            otherUrls={turns.map(({ url }) => url)}
            checks={checks}
            onSubmit={(turn) => save([...turns, turn])}
            onCancel={close}
          />
        </div>
      )}
      {opened === "paste" && <PasteForm known={turns} checks={checks} onSubmit={save} onCancel={close} />}
    </ServerGroup>
  );
}

interface TurnSummaryProps {
  readonly turn: TurnServer;
  readonly checks: ServerChecks;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function TurnSummary({ turn, checks, isOpen, onToggle }: TurnSummaryProps) {
  const t = useT();
  const format = useFormat();
  const check = checks.ofSaved(turn);
  // With port and transport, because a host is often listed more than once.
  const address = turn.url.replace(/^turns?:/i, "");
  const line = [t(`settingsConnection.${turn.authMethod}Line`), checkText(check, t)].filter(
    (part) => part !== undefined,
  );
  return (
    <div className={serverLineClass}>
      <ServerIcon size={18} className="text-text-2" />
      <div className={serverTextClass}>
        <p className="truncate font-medium">{address}</p>
        <p className="text-meta text-text-2">{format.items(line)}</p>
      </div>
      <CheckTag check={check} />
      <Button variant="ghost" size="sm" onClick={() => checks.run(turn)}>
        {t("settingsConnection.test")}
      </Button>
      <IconButton
        icon={ChevronRightIcon}
        label={t("settingsConnection.editTurn", { host: address })}
        aria-expanded={isOpen}
        className={isOpen ? "-rotate-90" : "rotate-90"}
        onClick={onToggle}
      />
    </div>
  );
}
