import { useEffect } from "react";
import { errorText } from "../../i18n/i18n.ts";
import { joinProblemOf } from "../../room/join-problem.ts";
import { toast } from "../../ui/toaster.tsx";
import { useWarren } from "../../ui/warren-context.tsx";

/** Shows why we left the room, unless the user wanted to. */
export function useRoomLoss(): void {
  const { room } = useWarren();
  useEffect(
    () =>
      room.store.subscribe((now, before) => {
        if (before.status !== "connected" || now.status !== "disconnected" || now.error === null) return;
        // Banners show another active tab and a password mismatch, because those states last.
        if (now.error.code !== "signalling-replaced" && joinProblemOf(now.error) === null)
          toast.error(errorText(now.error));
      }),
    [room],
  );
}
