import type { Route } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useCallback, useSyncExternalStore } from "react";
import type { Translate } from "../i18n/messages.ts";
import { useT } from "../i18n/use-t.ts";
import { cx } from "../ui/cx.ts";
import { useLasting } from "../ui/hooks/use-lasting.ts";
import { useWarren } from "../wiring/warren-context.tsx";
import type { Person } from "./use-person.ts";

/** As often as core measures. */
const refreshPeriodMs = 5_000;

/** The way to a client as one line: "Direct on your network · 3 ms". */
export function wayText({ kind, relayHost }: Route, roundTripMs: number | null, t: Translate): string {
  const way = {
    "direct-local": () => t("connection.directNetwork"),
    "direct-internet": () => t("connection.direct"),
    relayed: () =>
      relayHost === null ? t("connection.relayedUnnamed") : t("connection.relayed", { host: relayHost }),
  }[kind]();
  return roundTripMs === null
    ? way
    : t("connection.withRoundTrip", { way, time: Math.max(1, Math.round(roundTripMs)) });
}

/** A page that closes ends its connection before the server says that it has gone. */
const goodbyeMs = 500;

/** Whether a lost connection is worth a word: not while it is likely that the page there closes or reloads. */
export function useIsReconnecting({ status }: Pick<Person, "status">): boolean {
  return useLasting(status === "reconnecting", goodbyeMs);
}

/** The connection to a client as one line: which way it takes, or why there is none. */
function useRouteText({ id, status, peer }: Pick<Person, "id" | "status" | "peer">): string {
  const t = useT();
  const roundTripMs = useRoundTrip(id);
  const isReconnecting = useIsReconnecting({ status });
  if (peer === null) return t("conversation.away");
  switch (status) {
    case "offline":
      // Why, and what to press, stands below the header.
      return t(peer.error === null ? "conversation.away" : "clientInfo.notConnected");
    case "connecting":
      return t("conversation.connecting");
    case "reconnecting":
      return isReconnecting
        ? t("conversation.reconnecting", { attempt: Math.max(1, peer.attempt) })
        : t("conversation.online");
    case "online":
      return peer.route === null ? t("conversation.online") : wayText(peer.route, roundTripMs, t);
  }
}

/** Whether there is a way to name, or a reason to ask for: connecting and away, the rest of a row says. */
export function hasRouteLine({ status, peer }: Pick<Person, "status" | "peer">): boolean {
  if (peer === null) return false;
  return status === "online" ? peer.route !== null : status === "offline" && peer.error !== null;
}

/** The line under a client's name. */
export function RouteLine({
  person,
  className,
}: {
  readonly person: Pick<Person, "id" | "status" | "peer">;
  readonly className?: string;
}) {
  return (
    <span className={cx("block truncate text-meta tabular-nums", className)}>{useRouteText(person)}</span>
  );
}

/** The round trip time to a client; read only while the page is shown. */
function useRoundTrip(id: ClientId): number | null {
  const { room } = useWarren();
  return useSyncExternalStore(
    followWhileShown,
    useCallback(() => room.roundTripTo(id), [room, id]),
  );
}

function followWhileShown(changed: () => void): () => void {
  const listening = new AbortController();
  let timer: ReturnType<typeof setInterval> | undefined;
  const follow = (): void => {
    clearInterval(timer);
    if (document.visibilityState === "hidden") return;
    changed();
    timer = setInterval(changed, refreshPeriodMs);
  };
  document.addEventListener("visibilitychange", follow, { signal: listening.signal });
  follow();
  return () => {
    listening.abort();
    clearInterval(timer);
  };
}
