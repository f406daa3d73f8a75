import type { ServerCheck, TurnServer } from "@warren/core";
import { useState } from "react";
import { useWarren } from "../../ui/warren-context.tsx";

/** How far the test of a server is. */
export type CheckState = { readonly status: "testing" } | ServerCheck;

/** Tests of servers, by server: a changed one has not been tested. */
export interface ServerChecks {
  readonly isTesting: boolean;
  of(server: string | TurnServer): CheckState | undefined;
  run(server: string | TurnServer): void;
}

/** Runs and remembers tests for as long as the page shows them. */
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
      // A check never fails; only its code may be out of reach, as when offline.
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
