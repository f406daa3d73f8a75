import type { ServerCheck, TurnServer } from "@warren/core";
import { type ErrorDescription, WarrenError } from "@warren/protocol";
import { useState } from "react";
import { errorText } from "../../i18n/i18n.ts";
import type { Translate } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";
import { Tag } from "../../ui/badge.tsx";
import { CheckIcon } from "../../ui/icons.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { useWarren } from "../../wiring/warren-context.tsx";

/** The state of a server's test. */
type CheckState = { readonly status: "testing" } | ServerCheck;

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

/** The result of a test in words; undefined without one. */
export function checkText(check: CheckState | undefined, t: Translate): string | undefined {
  switch (check?.status) {
    case undefined:
    case "testing":
      return undefined;
    case "answered":
      return check.candidate === "relay"
        ? t("settingsConnection.answeredTurn", { time: check.tookMs })
        : t("settingsConnection.answeredStun", { time: check.tookMs });
    case "silent":
      return t("settingsConnection.silentLine");
    case "refused":
      return t("settingsConnection.refusedLine", { text: check.text, code: check.code });
    case "failed":
      return errorText(check.error);
  }
}

/**
 * The result of a test in one word. Its element exists before the result, so that screen readers announce it.
 */
export function CheckTag({ check }: { readonly check: CheckState | undefined }) {
  const t = useT();
  return (
    <span role="status" className="shrink-0">
      {check?.status === "testing" && (
        <Tag>
          <Spinner size={12} />
          {t("settingsConnection.testing")}
        </Tag>
      )}
      {check?.status === "answered" && (
        <Tag tone="accent">
          <CheckIcon size={12} />
          {t("settingsConnection.works")}
        </Tag>
      )}
      {check?.status === "silent" && <Tag tone="warn">{t("settingsConnection.silent")}</Tag>}
      {(check?.status === "refused" || check?.status === "failed") && (
        <Tag tone="danger">{t("settingsConnection.refused")}</Tag>
      )}
    </span>
  );
}
