import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { DoctorButton } from "../wiring/doctor-button.tsx";
import { useWarren } from "../wiring/warren-context.ts";
import { withErrorToast } from "../wiring/with-error-toast.ts";
import type { Person } from "./use-person.ts";

interface RouteHelpProps {
  readonly person: Pick<Person, "id" | "status" | "peer">;
  /** Closes the dialog that the buttons are in, before another page opens. */
  readonly onLeave?: () => void;
}

/** What to press where a member of the room could not be met; nothing where no press helps. */
export function RouteHelp({ person: { id, status, peer }, ...leave }: RouteHelpProps) {
  const t = useT();
  const { room } = useWarren();
  const code = peer?.error?.code;
  if (code === undefined || code === "session-ended") return null;
  const isHeld = code === "approval-needed";
  return (
    <>
      {!isHeld && <DoctorButton {...leave}>{t("doctor.why")}</DoctorButton>}
      {status === "offline" && (
        <Button
          size="sm"
          onClick={() =>
            void withErrorToast(async () => (isHeld ? room.letIn(id) : room.retryConnection(id)))
          }
        >
          {t(isHeld ? "joinRequest.letIn" : "connection.tryAgain")}
        </Button>
      )}
    </>
  );
}
