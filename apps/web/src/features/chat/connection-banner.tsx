import { reconnectAttemptsMax } from "../../components/use-person.ts";
import { useRun } from "../../components/use-run.ts";
import { useWarren } from "../../components/warren-context.tsx";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { AlertIcon, RefreshIcon, ShieldCrossIcon } from "../../ui/icons.tsx";
import type { Partner } from "./use-partner.ts";

/** Says what is wrong with the connection to a person of this room, as long as it is. */
export function ConnectionBanner({
  partner: { id, firstName, status, standing, peer },
}: {
  readonly partner: Partner;
}) {
  const t = useT();
  const run = useRun();
  const { room } = useWarren();
  if (standing === "blocked") {
    return (
      <Banner tone="danger" icon={ShieldCrossIcon}>
        {t("connection.safetyDiffers")}
      </Banner>
    );
  }
  if (peer === null) return null;
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
  const again = () => (isHeld ? room.letIn(id) : room.retryConnection(id));
  return (
    <Banner
      tone="warn"
      icon={AlertIcon}
      action={
        <Button size="sm" onClick={() => void run(again)}>
          {isHeld ? t("door.letIn") : t("connection.tryAgain")}
        </Button>
      }
    >
      {t("connection.notReached", { name: firstName, reason: errorText(peer.error) })}
    </Banner>
  );
}
