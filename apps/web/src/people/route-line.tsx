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
  return withRoundTrip(way, roundTripMs, t);
}

/** The same in as little space as possible: "Direct · 3 ms". */
function shortWayText({ kind }: Route, roundTripMs: number | null, t: Translate): string {
  const way = t(kind === "relayed" ? "connection.relayedShort" : "connection.directShort");
  return withRoundTrip(way, roundTripMs, t);
}

function withRoundTrip(way: string, roundTripMs: number | null, t: Translate): string {
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

interface RouteText {
  readonly full: string;
  readonly short: string;
}

/** The connection to a client as one line: which way it takes, or why there is none. */
function useRouteText({ id, status, peer }: Pick<Person, "id" | "status" | "peer">): RouteText {
  const t = useT();
  const roundTripMs = useRoundTrip(id);
  const isReconnecting = useIsReconnecting({ status });
  const plain = (text: string, short = text): RouteText => ({ full: text, short });
  if (peer === null) return plain(t("conversation.away"));
  switch (status) {
    case "offline":
      // Why, and what to press, stands below the header.
      return plain(t(peer.error === null ? "conversation.away" : "clientInfo.notConnected"));
    case "connecting":
      return plain(t("conversation.connecting"));
    case "reconnecting":
      return isReconnecting
        ? plain(
            t("conversation.reconnecting", { attempt: Math.max(1, peer.attempt) }),
            t("clientInfo.status.reconnecting"),
          )
        : plain(t("conversation.online"));
    case "online":
      return peer.route === null
        ? plain(t("conversation.online"))
        : plain(wayText(peer.route, roundTripMs, t), shortWayText(peer.route, roundTripMs, t));
  }
}

/** Whether there is a way to name, or a reason to ask for: connecting and away, the rest of a row says. */
export function hasRouteLine({ status, peer }: Pick<Person, "status" | "peer">): boolean {
  if (peer === null) return false;
  return status === "online" ? peer.route !== null : status === "offline" && peer.error !== null;
}

interface RouteLineProps {
  readonly person: Pick<Person, "id" | "status" | "peer">;
  readonly className?: string;
}

/** The line under a client's name. A whole line beside other words: where it is too long for them, it ends in an ellipsis. */
export function RouteLine({ person, className }: RouteLineProps) {
  return (
    <span className={cx("block truncate text-meta tabular-nums", className)}>
      {useRouteText(person).full}
    </span>
  );
}

/** The line under a client's name, in fewer words where the column is narrow. The column needs a width of its own. */
export function FittingRouteLine({ person, className }: RouteLineProps) {
  const { full, short } = useRouteText(person);
  if (full === short) return <RouteLine person={person} {...(className !== undefined && { className })} />;
  return (
    <span title={full} className={cx("@container block min-w-0 text-meta tabular-nums", className)}>
      <span className="block truncate @max-[12.5rem]:sr-only">{full}</span>
      <span aria-hidden="true" className="hidden truncate @max-[12.5rem]:block">
        {short}
      </span>
    </span>
  );
}

/** The line in as few words as possible, beside others in a row. Screen readers read all of it. */
export function ShortRouteLine({ person, className }: RouteLineProps) {
  const { full, short } = useRouteText(person);
  return (
    <span title={full} className={cx("shrink-0 text-meta tabular-nums", className)}>
      {full !== short && <span className="sr-only">{full}</span>}
      <span aria-hidden={full !== short}>{short}</span>
    </span>
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
