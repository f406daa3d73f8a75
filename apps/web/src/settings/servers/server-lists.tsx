import type { Servers } from "@warren/core";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { useOption } from "../use-option.ts";
import { StunServers } from "./stun-servers.tsx";
import { TurnServers } from "./turn-servers.tsx";
import { useServerChecks } from "./use-server-checks.ts";

/** The STUN and TURN servers: to add, change, remove and test. */
export function ServerLists() {
  const t = useT();
  const { value: servers, isDefault, set, reset } = useOption("servers");
  const checks = useServerChecks();
  const change = (part: Partial<Servers>): void => set({ ...servers, ...part });
  return (
    <>
      <TurnServers turns={servers.turns} checks={checks} onChange={(turns) => change({ turns })} />
      <StunServers stuns={servers.stuns} checks={checks} onChange={(stuns) => change({ stuns })} />
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
