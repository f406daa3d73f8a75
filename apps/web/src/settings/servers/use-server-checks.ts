import type { ServerCheck, TurnServer } from "@warren/core";
import { type ErrorDescription, WarrenError } from "@warren/protocol";
import { useState } from "react";
import { useWarren } from "../../wiring/warren-context.ts";

/** The state of a server's test. */
export type CheckState = { readonly status: "testing" } | ServerCheck;

/** Test results by server; a changed server counts as untested. */
export interface ServerChecks {
  readonly isTesting: boolean;
  /** Why the browser does not accept a server; null if it does. */
  refusalOf(server: string | TurnServer): ErrorDescription | null;
  /** The test of a server. */
  of(server: string | TurnServer): CheckState | undefined;
  /** The same for a saved server; one that the browser refuses needs no test. */
  ofSaved(server: string | TurnServer): CheckState | undefined;
  run(server: string | TurnServer): void;
}

/** Runs tests, and keeps their results while the page is mounted. */
export function useServerChecks(): ServerChecks {
  const warren = useWarren();
  const [states, setStates] = useState<ReadonlyMap<string, CheckState>>(new Map());
  const note = (key: string, state: CheckState): void =>
    setStates((before) => new Map([...before, [key, state]]));
  const refusalOf = (server: string | TurnServer): ErrorDescription | null => {
    const url = typeof server === "string" ? server : server.url;
    // Cloudflare provides the addresses.
    const isName = typeof server !== "string" && server.authMethod === "cloudflare";
    const reason = isName ? null : warren.refusalOf(url);
    return reason === null ? null : new WarrenError("server-refused", { url, reason }).describe();
  };
  return {
    isTesting: [...states.values()].some(({ status }) => status === "testing"),
    refusalOf,
    of: (server) => states.get(keyOf(server)),
    ofSaved: (server) => {
      const error = refusalOf(server);
      return error === null ? states.get(keyOf(server)) : { status: "failed", error };
    },
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
