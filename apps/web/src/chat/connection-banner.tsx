import { useEffect, useReducer } from "react";
import { useFormat } from "../i18n/format.ts";
import { errorText } from "../i18n/i18n.ts";
import { joinSentences } from "../i18n/spacing.ts";
import { useT } from "../i18n/use-t.ts";
import { RouteHelp } from "../people/route-help.tsx";
import { useIsReconnecting } from "../people/route-line.tsx";
import type { Person } from "../people/use-person.ts";
import { AddTurnButton } from "../room/add-turn-button.tsx";
import { useLocalNetworkAccess } from "../room/local-network-hint.tsx";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";
import { AlertIcon, RefreshIcon, ShieldCrossIcon } from "../ui/icons.ts";
import { useRun } from "../wiring/use-run.ts";
import { useOption, useStore, useWarren } from "../wiring/warren-context.tsx";

/** Failures that a relay may fix. */
const routeFailures: ReadonlySet<string> = new Set(["connect-timeout", "connection-failed"]);

/** Failures of a browser, which the next attempt is likely to repeat: the banner names them instead of the lost connection. */
const browserFailures: ReadonlySet<string> = new Set([
  "description-invalid",
  "media-refused",
  "webrtc-blocked",
]);

/** Shows a persistent connection problem with a room member. */
export function ConnectionBanner({ person }: { readonly person: Person }) {
  const { id, firstName, status, trustLevel, peer, contact } = person;
  const t = useT();
  const run = useRun();
  const { chat, room, hasRelay } = useWarren();
  const leftOut = useStore(room.leftOutServers);
  const localNetwork = useLocalNetworkAccess();
  const isReconnecting = useIsReconnecting(person);
  useOption("servers"); // re-renders when a relay is set up
  if (trustLevel === "blocked") {
    // A block for a differing safety code is lifted beside its explanation, in the details of the client.
    const isByHand = contact?.blockedByHand === true;
    const unblock = isByHand && (
      <Button size="sm" onClick={() => chat.unblock(id)}>
        {t("clientInfo.unblock")}
      </Button>
    );
    return (
      <Banner tone="danger" icon={ShieldCrossIcon} action={unblock}>
        {isByHand ? t("connection.blocked", { name: firstName }) : t("connection.safetyDiffers")}
      </Banner>
    );
  }
  if (peer === null) return null;
  if (peer.error?.code === "session-ended") {
    return (
      <Banner tone="warn" icon={AlertIcon}>
        {t("connection.ended", { name: firstName })}
      </Banner>
    );
  }
  const nextTry =
    peer.nextAttemptAtMs !== null ? (
      <Countdown atMs={peer.nextAttemptAtMs} />
    ) : (
      status !== "offline" && t("connection.trying")
    );
  if (status === "reconnecting") {
    if (!isReconnecting) return null;
    const tryNow = peer.nextAttemptAtMs !== null && (
      <Button size="sm" onClick={() => void run(() => room.retryConnection(id))}>
        {t("connection.tryNow")}
      </Button>
    );
    return (
      <Banner tone="warn" icon={RefreshIcon} action={tryNow}>
        {peer.error !== null && browserFailures.has(peer.error.code)
          ? t("connection.notReached", { name: firstName, reason: errorText(peer.error) })
          : t("connection.dropped", { name: firstName })}{" "}
        {nextTry}
      </Banner>
    );
  }
  if (status === "online" || peer.error === null) return null;
  const lacksRoute = routeFailures.has(peer.error.code);
  const needsRelay = lacksRoute && leftOut.length === 0 && !hasRelay();
  const reason = t("connection.notReached", { name: firstName, reason: errorText(peer.error) });
  const [first, ...others] = lacksRoute ? leftOut : [];
  const sentences = [
    reason,
    ...(lacksRoute && localNetwork === "denied" ? [t("localNetwork.blocked")] : []),
    ...(first ? [errorText(first.error)] : []),
    ...(others.length > 0 ? [t("connection.moreLeftOut", { count: others.length })] : []),
    ...(needsRelay ? [t("connection.relayIsMissing")] : []),
  ];
  return (
    <Banner
      tone="warn"
      icon={AlertIcon}
      action={
        <span className="flex shrink-0 flex-wrap justify-end gap-2">
          {needsRelay && <AddTurnButton />}
          <RouteHelp person={person} />
        </span>
      }
    >
      {joinSentences(sentences)} {nextTry}
    </Banner>
  );
}

/** A countdown to the next attempt; screen readers do not get every second. */
function Countdown({ atMs }: { readonly atMs: number }) {
  const t = useT();
  const format = useFormat();
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, []);
  const leftMs = Math.max(1_000, atMs - performance.now());
  return (
    <span aria-live="off" className="tabular-nums">
      {t("connection.nextTry", { duration: format.duration(leftMs) })}
    </span>
  );
}
