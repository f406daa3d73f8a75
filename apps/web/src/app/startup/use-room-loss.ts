import { useEffect } from "react";
import { errorText } from "../../i18n/i18n.ts";
import { joinProblemOf } from "../../room/join-problem.ts";
import { toast } from "../../ui/toaster.tsx";
import { useWarren } from "../../ui/warren-context.tsx";

/** Says why we are no longer in the room, when that was nobody's wish here. */
export function useRoomLoss(): void {
  const { room } = useWarren();
  useEffect(
    () =>
      room.store.subscribe((now, before) => {
        if (before.status !== "connected" || now.status !== "disconnected" || now.error === null) return;
        // A banner tells of another tab, and of a password that others do not have, because those last.
        if (now.error.code !== "signalling-replaced" && joinProblemOf(now.error) === null)
          toast.error(errorText(now.error));
      }),
    [room],
  );
}
