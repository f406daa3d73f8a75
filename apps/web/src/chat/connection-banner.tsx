import type { Peer } from "@warren/core";
import type { ErrorDescription } from "@warren/protocol";
import { useFormat } from "../i18n/format.ts";
import { errorText } from "../i18n/i18n.ts";
import { joinSentences } from "../i18n/spacing.ts";
import { useT } from "../i18n/use-t.ts";
import { RouteHelp } from "../people/route-help.tsx";
import { useIsReconnecting } from "../people/route-text.ts";
import type { Person } from "../people/use-person.ts";
import { AddTurnButton } from "../room/add-turn-button.tsx";
import { useLocalNetworkAccess } from "../room/use-local-network-access.ts";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";
import { useClock } from "../ui/hooks/use-clock.ts";
import { useOnline } from "../ui/hooks/use-online.ts";
import { AlertIcon, RefreshIcon, ShieldCrossIcon } from "../ui/icons.ts";
import { useOption, useStore, useWarren } from "../wiring/warren-context.ts";
import { withErrorToast } from "../wiring/with-error-toast.ts";

/** Failures that a relay may fix. */
const routeFailures: ReadonlySet<string> = new Set(["connect-timeout", "connection-failed"]);

/** Failures of a browser, which the next attempt is likely to repeat: the banner names them instead of the lost connection. */
const browserFailures: ReadonlySet<string> = new Set([
  "description-invalid",
  "media-refused",
  "webrtc-blocked",
]);

interface ConnectionBannerProps {
  readonly person: Person;
}

/** Shows a persistent connection problem with a room member. */
export function ConnectionBanner({ person }: ConnectionBannerProps) {
  const { firstName, status, trustLevel, peer } = person;
  const t = useT();
  // Here, where it sees the connection break.
  const isReconnecting = useIsReconnecting(person);
  const isOnline = useOnline();
  if (trustLevel === "blocked") return <BlockedBanner person={person} />;
  // A device without a network has a banner of its own, about all connections.
  if (peer === null || !isOnline) return null;
  if (peer.error?.code === "session-ended") {
    return (
      <Banner tone="warn" icon={AlertIcon}>
        {t("connection.ended", { name: firstName })}
      </Banner>
    );
  }
  if (status === "reconnecting") return isReconnecting && <ReconnectingBanner person={person} peer={peer} />;
  if (status === "online" || peer.error === null) return null;
  return <FailedBanner person={person} peer={peer} error={peer.error} />;
}

function BlockedBanner({ person: { id, firstName, contact } }: ConnectionBannerProps) {
  const t = useT();
  const { chat } = useWarren();
  // A block for a differing safety code is lifted beside its explanation, in the details of the person.
  const isByHand = contact?.blockedByHand === true;
  const unblock = isByHand && (
    <Button size="sm" onClick={() => chat.unblock(id)}>
      {t("personInfo.unblock")}
    </Button>
  );
  return (
    <Banner tone="danger" icon={ShieldCrossIcon} action={unblock}>
      {isByHand ? t("connection.blocked", { name: firstName }) : t("connection.safetyDiffers")}
    </Banner>
  );
}

interface PeerBannerProps extends ConnectionBannerProps {
  readonly peer: Peer;
}

/** The connection is lost, and made again. */
function ReconnectingBanner({
  person: { id, firstName },
  peer: { error, nextAttemptAtMs },
}: PeerBannerProps) {
  const t = useT();
  const { room } = useWarren();
  const tryNow = nextAttemptAtMs !== null && (
    <Button size="sm" onClick={() => void withErrorToast(() => room.retryConnection(id))}>
      {t("connection.tryNow")}
    </Button>
  );
  return (
    <Banner tone="warn" icon={RefreshIcon} action={tryNow}>
      {error !== null && browserFailures.has(error.code)
        ? t("connection.notReached", { name: firstName, reason: errorText(error) })
        : t("connection.dropped", { name: firstName })}{" "}
      <NextTry atMs={nextAttemptAtMs} />
    </Banner>
  );
}

/** The connection could not be made: why, and what may help. */
function FailedBanner({ person, peer, error }: PeerBannerProps & { readonly error: ErrorDescription }) {
  const { firstName, status } = person;
  const t = useT();
  const { room, hasRelay } = useWarren();
  const leftOut = useStore(room.leftOutServers);
  const localNetwork = useLocalNetworkAccess();
  useOption("servers"); // re-renders when a relay is set up
  const lacksRoute = routeFailures.has(error.code);
  const needsRelay = lacksRoute && leftOut.length === 0 && !hasRelay();
  const [first, ...others] = lacksRoute ? leftOut : [];
  const sentences = [
    t("connection.notReached", { name: firstName, reason: errorText(error) }),
    ...(lacksRoute && localNetwork === "denied" ? [t("localNetwork.blocked")] : []),
    ...(first ? [errorText(first.error)] : []),
    ...(others.length > 0 ? [t("connection.moreLeftOut", { count: others.length })] : []),
    ...(needsRelay ? [t("connection.relayIsMissing")] : []),
  ];
  const isTrying = status !== "offline" || peer.nextAttemptAtMs !== null;
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
      {joinSentences(sentences)} {isTrying && <NextTry atMs={peer.nextAttemptAtMs} />}
    </Banner>
  );
}

/** That it is tried now, or when next. */
function NextTry({ atMs }: { readonly atMs: number | null }) {
  const t = useT();
  return atMs === null ? t("connection.trying") : <Countdown atMs={atMs} />;
}

/** A countdown to the next attempt; screen readers do not get every second. */
function Countdown({ atMs }: { readonly atMs: number }) {
  const t = useT();
  const format = useFormat();
  useClock(1_000); // renders it again
  const leftMs = Math.max(1_000, atMs - performance.now());
  return (
    <span aria-live="off" className="tabular-nums">
      {t("connection.nextTry", { duration: format.duration(leftMs) })}
    </span>
  );
}
