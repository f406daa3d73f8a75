import { useEffect } from "react";
import { useT } from "../i18n/use-t.ts";
import { shownName } from "../people/shown-name.ts";
import { toast } from "../ui/toaster.tsx";
import { useRun } from "../ui/use-run.ts";
import { useWarren } from "../ui/warren-context.tsx";

/** The time for which the server lets a newcomer wait for an answer. */
const doorToastMs = 60_000;

/**
 * Asks whether a newcomer may enter, after so many wrong passwords that somebody may be guessing. Rendered
 * once.
 */
export function DoorNews() {
  const t = useT();
  const run = useRun();
  const { room, chat, profile } = useWarren();
  useEffect(
    () =>
      room.on("approval-needed", (clientId) => {
        const { contacts } = chat.store.getState();
        // Without a proven key anyone can use a known id.
        const known = contacts[clientId]?.proven
          ? shownName(clientId, contacts, profile.get().name)
          : undefined;
        const name = known ?? t("people.someone");
        toast.warning(t("door.knock", { name }), {
          id: `door/${clientId}`,
          description: t("door.why"),
          duration: doorToastMs,
          action: { label: t("door.letIn"), onClick: () => void run(() => room.letIn(clientId)) },
        });
      }),
    [t, run, room, chat, profile],
  );
  return null;
}
