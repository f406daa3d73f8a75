import type { ServerCheck, TurnServer } from "@warren/core";
import { useState } from "react";
import { useWarren } from "../../ui/warren-context.tsx";

/** The state of a server's test. */
export type CheckState = { readonly status: "testing" } | ServerCheck;

/** Test results by server; a changed server counts as untested. */
export interface ServerChecks {
  readonly isTesting: boolean;
  of(server: string | TurnServer): CheckState | undefined;
  run(server: string | TurnServer): void;
}

/** Runs tests, and keeps their results while the page is mounted. */
export function useServerChecks(): ServerChecks {
  const warren = useWarren();
  const [states, setStates] = useState<ReadonlyMap<string, CheckState>>(new Map());
  const note = (key: string, state: CheckState): void =>
    setStates((before) => new Map([...before, [key, state]]));
  return {
    isTesting: [...states.values()].some(({ status }) => status === "testing"),
    of: (server) => states.get(keyOf(server)),
    run: (server) => {
      const key = keyOf(server);
      if (states.get(key)?.status === "testing") return;
      note(key, { status: "testing" });
      // A check itself never rejects; fetching its code can, for example offline.
      warren.checkServer(server).then(
        (check) => note(key, check),
        () => note(key, { status: "silent" }),
      );
    },
  };
}

function keyOf(server: string | TurnServer): string {
  return typeof server === "string"
    ? server
    : JSON.stringify([server.url, server.authMethod, server.username, server.password]);
}
