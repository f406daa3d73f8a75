import type { OnlineStatus, Peer } from "@warren/core";
import type { Translate } from "../i18n/messages.ts";

/** The line under a client's name: presence and route. `short` omits the route. */
export function presenceLine(
  status: OnlineStatus,
  peer: Peer | null,
  t: Translate,
): { readonly long: string; readonly short: string } {
  const same = (text: string) => ({ long: text, short: text });
  if (peer === null || status === "offline") return same(t("conversation.away"));
  if (status === "connecting") return same(t("conversation.connecting"));
  if (status === "reconnecting")
    return same(t("conversation.reconnecting", { attempt: Math.max(1, peer.attempt) }));
  return { long: onlineLine(peer, t), short: t("conversation.online") };
}

function onlineLine({ route }: Peer, t: Translate): string {
  if (route === null) return t("conversation.online");
  switch (route.kind) {
    case "direct-local":
      return t("conversation.onlineNetwork");
    case "direct-internet":
      return t("conversation.onlineDirect");
    case "relayed":
      return route.relayHost === null
        ? t("conversation.onlineRelayed")
        : t("conversation.onlineRelay", { host: route.relayHost });
  }
}
