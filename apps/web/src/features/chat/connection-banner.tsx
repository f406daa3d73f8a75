import { AddTurnButton } from "../../components/add-turn-button.tsx";
import { reconnectAttemptsMax } from "../../components/use-person.ts";
import { useRun } from "../../components/use-run.ts";
import { useOptions, useWarren } from "../../components/warren-context.tsx";
import { errorText } from "../../i18n/i18n.ts";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { AlertIcon, RefreshIcon, ShieldCrossIcon } from "../../ui/icons.tsx";
import type { Partner } from "./use-partner.ts";

/** Failures that a relay may cure. */
const routeFailures: ReadonlySet<string> = new Set(["connect-timeout", "connection-failed"]);

/** Says what is wrong with the connection to a person of this room, as long as it is. */
export function ConnectionBanner({
  partner: { id, firstName, status, standing, peer, contact },
}: {
  readonly partner: Partner;
}) {
  const t = useT();
  const run = useRun();
  const { room, hasRelay } = useWarren();
  useOptions(); // draws again when a relay is set up
  if (standing === "blocked") {
    return (
      <Banner tone="danger" icon={ShieldCrossIcon}>
        {contact?.blockedByHand
          ? t("connection.blocked", { name: firstName })
          : t("connection.safetyDiffers")}
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
  if (status === "reconnecting") {
    const attempt = Math.max(1, peer.attempt);
    return (
      <Banner tone="warn" icon={RefreshIcon}>
        {t("connection.dropped", { name: firstName, attempt, limit: reconnectAttemptsMax })}
      </Banner>
    );
  }
  if (status !== "offline" || peer.error === null) return null;
  const isHeld = peer.error.code === "approval-needed";
  const needsRelay = routeFailures.has(peer.error.code) && !hasRelay();
  const reason = t("connection.notReached", { name: firstName, reason: errorText(peer.error) });
  const again = () => (isHeld ? room.letIn(id) : room.retryConnection(id));
  return (
    <Banner
      tone="warn"
      icon={AlertIcon}
      action={
        <span className="flex shrink-0 flex-wrap justify-end gap-2">
          {needsRelay && <AddTurnButton />}
          <Button size="sm" onClick={() => void run(again)}>
            {isHeld ? t("door.letIn") : t("connection.tryAgain")}
          </Button>
        </span>
      }
    >
      {needsRelay ? joinSentences([reason, t("connection.relayIsMissing")]) : reason}
    </Banner>
  );
}
