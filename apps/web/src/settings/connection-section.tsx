import { optionTable, type Servers } from "@warren/core";
import { v } from "@warren/protocol";
import { useId, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { errorText } from "../i18n/i18n.ts";
import { joinSentences } from "../i18n/spacing.ts";
import { useT } from "../i18n/use-t.ts";
import { parseUrl } from "../platform/parse-url.ts";
import { AddTurnButton, isAddTurn } from "../room/add-turn-button.tsx";
import { Button } from "../ui/button.tsx";
import { Collapsible } from "../ui/collapsible.tsx";
import { FieldBox, FieldInput } from "../ui/fields/text-field.tsx";
import { WarningIcon } from "../ui/icons.ts";
import { DoctorButton } from "../wiring/doctor-button.tsx";
import { useOption, useProfile, useRoom, useStore, useWarren } from "../wiring/warren-context.ts";
import { ActionRow } from "./rows/action-row.tsx";
import { SwitchRow, ToggleRow } from "./rows/option-rows.tsx";
import { SettingGroup } from "./rows/setting-group.tsx";
import { labelIdOf, noteIdsOf, SettingRow } from "./rows/setting-row.tsx";
import { useAreChanged, useSetting } from "./rows/use-setting.ts";
import { StunServers } from "./servers/stun-servers.tsx";
import { TurnServers } from "./servers/turn-servers.tsx";
import { useServerChecks } from "./servers/use-server-checks.ts";

/** How this browser connects to peers. */
export function ConnectionSection() {
  const t = useT();
  const relayOnly = useOption("relayOnly");
  const { hasRelay } = useWarren();
  // Re-renders when the server's relays change with the room.
  useRoom();
  return (
    <>
      <SettingGroup>
        <AutoJoinRow />
        <SwitchRow name="nearby" />
        <SwitchRow
          name="relayOnly"
          note={
            relayOnly &&
            !hasRelay() && (
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <Warning>{t("settingsConnection.relayNeedsTurn")}</Warning>
                <AddTurnButton />
              </div>
            )
          }
        />
      </SettingGroup>
      <SettingGroup>
        <ActionRow title={t("doctor.title")} line={t("doctor.line")}>
          <DoctorButton size="md">{t("doctor.open")}</DoctorButton>
        </ActionRow>
      </SettingGroup>
      <ServersPart />
    </>
  );
}

/** Stands open where a server was changed or is faulty, and for whoever comes to add one. */
function ServersPart() {
  const t = useT();
  const wish = useHistoryState<unknown>();
  const hasFaulty = useStore(useWarren().room.leftOutServers).length > 0;
  const isChanged = useAreChanged(["servers", "websocketUrl"]);
  return (
    <Collapsible
      title={t("settingsConnection.servers")}
      opensFor={isAddTurn(wish) ? wish : isChanged || hasFaulty || undefined}
      className="mt-4"
    >
      <SettingGroup>
        {__FIREBASE__ === null && <WebsocketRow />}
        <SwitchRow name="shareServersWithOthers" />
      </SettingGroup>
      <ServerLists />
    </Collapsible>
  );
}

function Warning({ children }: { readonly children: string }) {
  return (
    <p role="status" className="mt-1 flex items-start gap-1.5 text-compact text-warn">
      <WarningIcon size={15} className="mt-px" />
      {children}
    </p>
  );
}

function AutoJoinRow() {
  const t = useT();
  const { profile } = useWarren();
  const { autoJoin } = useProfile();
  const set = (next: boolean): void => profile.update({ autoJoin: next });
  return (
    <ToggleRow
      label={t("settings.option.autoJoin.label")}
      help={t("settings.option.autoJoin.help")}
      value={autoJoin}
      byDefault={false}
      onChange={set}
      onReset={() => set(false)}
    />
  );
}

function WebsocketRow() {
  const t = useT();
  const id = useId();
  const { value, isDefault, set, reset } = useSetting("websocketUrl");
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<string | null>(null);

  const commit = (): void => {
    if (draft === undefined) return;
    const address = draft.trim();
    const found = address === "" ? null : signallingProblem(address, location.protocol);
    setProblem(found === null ? null : t(`settingsConnection.${found}`));
    if (found !== null) return;
    set(address === "" ? null : address);
    setDraft(undefined);
  };
  const putBack = (): void => {
    reset();
    setDraft(undefined);
    setProblem(null);
  };
  const host = value === null ? null : new URL(value).host;
  return (
    <SettingRow
      id={id}
      label={t("settings.option.websocketUrl.label")}
      help={joinSentences([t("settings.option.websocketUrl.help"), t("settingsConnection.websocketRejoin")])}
      byDefault={t("settings.default", {
        value: __SIGNALLING_URL__ ?? t("settingsConnection.websocketDefault"),
      })}
      onReset={isDefault && problem === null ? undefined : putBack}
      error={problem}
      note={
        host !== null &&
        host !== location.host && <Warning>{t("settingsConnection.websocketForeign", { host })}</Warning>
      }
      control={
        <span className="shrink-0 md:w-72">
          <FieldBox invalid={problem !== null}>
            <FieldInput
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="wss://"
              value={draft ?? value ?? ""}
              onChange={(event) => setDraft(event.target.value)}
              onBlur={commit}
              onKeyDown={(event) => event.key === "Enter" && commit()}
              aria-invalid={problem !== null || undefined}
              aria-labelledby={labelIdOf(id)}
              aria-describedby={noteIdsOf(id)}
            />
          </FieldBox>
        </span>
      }
    />
  );
}

/**
 * The problem with a signalling server's address, as the last part of a message key; null if there is none.
 * @param pageProtocol `location.protocol`: an https page cannot open a plain socket.
 */
function signallingProblem(
  address: string,
  pageProtocol: string,
): "websocketInvalid" | "websocketInsecure" | null {
  const url = v.is(optionTable.websocketUrl.schema, address) ? parseUrl(address) : null;
  if (url === null) return "websocketInvalid";
  return pageProtocol === "https:" && url.protocol === "ws:" ? "websocketInsecure" : null;
}

/** The STUN and TURN servers: to add, change, remove and test. */
function ServerLists() {
  const t = useT();
  const { value: servers, isDefault, set, reset } = useSetting("servers");
  const checks = useServerChecks();
  const leftOut = useStore(useWarren().room.leftOutServers);
  const own = new Set([...servers.stuns, ...servers.turns.map(({ url }) => url)]);
  // Those of a link or of the server of the room.
  const foreign = leftOut.filter(({ url }) => !own.has(url));
  const change = (part: Partial<Servers>): void => set({ ...servers, ...part });
  return (
    <>
      <TurnServers turns={servers.turns} checks={checks} onChange={(turns) => change({ turns })} />
      <StunServers stuns={servers.stuns} checks={checks} onChange={(stuns) => change({ stuns })} />
      {foreign.map(({ url, error }) => (
        <Warning key={url}>{errorText(error)}</Warning>
      ))}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          loading={checks.isTesting}
          onClick={() => {
            for (const server of [...servers.turns, ...servers.stuns]) checks.run(server);
          }}
        >
          {t("settingsConnection.testAll")}
        </Button>
        {!isDefault && (
          <Button
            variant="ghost"
            aria-label={t("settings.resetOption", { option: t("settings.option.servers.label") })}
            onClick={reset}
          >
            {t("settings.reset")}
          </Button>
        )}
      </div>
    </>
  );
}
