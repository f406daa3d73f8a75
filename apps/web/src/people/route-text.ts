import { onlineStatusOf, type Peer, type Route } from "@warren/core";
import type { Translate } from "../i18n/messages.ts";
import { useT } from "../i18n/use-t.ts";
import { useLasting } from "../ui/hooks/use-lasting.ts";
import type { Person } from "./use-person.ts";

/** The route to a peer with its figures, for the person's details: "Over relay turn.example.org · 60 ms". */
export function routeText({ kind, relayHost }: Route, roundTripMs: number | null, t: Translate): string {
  const route =
    relayHost === null ? t(`connection.route.${kind}`) : t("connection.relayedBy", { host: relayHost });
  return roundTripMs === null
    ? route
    : t("connection.withRoundTrip", { route, time: Math.max(1, Math.round(roundTripMs)) });
}

/** A page that closes ends its connection before the server says that it has gone. */
const closingGraceMs = 500;

/** Whether a lost connection is worth a word: not while it is likely that the page there closes or reloads. */
export function useIsReconnecting({ status }: Pick<Person, "status">): boolean {
  return useLasting(status === "reconnecting", closingGraceMs);
}

interface RouteText {
  readonly full: string;
  readonly short: string;
  /** Beside other words: null where all is as expected, which the dot of the avatar says. */
  readonly brief: string | null;
}

/** Whether a person is here and by which route, or why not, as one line. */
export function useRouteText({ status, peer }: Pick<Person, "status" | "peer">): RouteText {
  const t = useT();
  const isReconnecting = useIsReconnecting({ status });
  const plain = (text: string, short = text): RouteText => ({ full: text, short, brief: short });
  if (peer === null) return plain(t("conversation.away"));
  switch (status) {
    case "offline":
      // Why, and what to press, stands below the header: they are here, or this device is offline.
      return plain(t(hasLeft(peer) ? "conversation.away" : "personInfo.notConnected"));
    case "connecting":
      return plain(t("conversation.connecting"));
    case "reconnecting":
      return isReconnecting
        ? plain(
            t("conversation.reconnecting", { attempt: Math.max(1, peer.attempt) }),
            t("personInfo.status.reconnecting"),
          )
        : plain(t("conversation.online"));
    case "online":
      return peer.route === null ? plain(t("conversation.online")) : onlineText(peer.route, t);
  }
}

/** Whether nothing but their leaving ended the connection. */
const hasLeft = ({ error, session }: Peer): boolean =>
  error === null && onlineStatusOf[session] === "offline";

function onlineText({ kind }: Route, t: Translate): RouteText {
  const full = t(`connection.online.${kind}`);
  return kind === "relayed"
    ? { full, short: t("connection.relayedShort"), brief: t("connection.relayedShort") }
    : { full, short: t("connection.directShort"), brief: null };
}

/** Whether there is a route to name, or a reason to ask for: connecting and away, the rest of a row says. */
export function hasRouteLine({ status, peer }: Pick<Person, "status" | "peer">): boolean {
  if (peer === null) return false;
  return status === "online" ? peer.route !== null : status === "offline" && peer.error !== null;
}
