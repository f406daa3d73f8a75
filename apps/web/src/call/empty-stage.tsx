import { isAround, peersOf } from "@warren/core";
import { useT } from "../i18n/use-t.ts";
import { useRoomActions } from "../room/use-room-actions.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PhoneIcon } from "../ui/icons.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { PeopleToCall } from "./people-to-call.tsx";

/** What is there before anybody shares anything: whom to call, or to let in. */
export function EmptyStage() {
  const t = useT();
  const { shareRoom } = useRoomActions();
  const isAlone = useStore(useWarren().room.store, (state) => !Object.values(peersOf(state)).some(isAround));
  return (
    <div className="flex min-h-0 flex-1 overflow-y-auto px-5 pt-5 pb-14">
      <div className="m-auto flex flex-col items-center gap-6 max-md:w-full low:flex-row low:gap-4">
        <EmptyState
          icon={PhoneIcon}
          title={t("call.noStream")}
          action={
            isAlone && (
              <Button variant="primary" onClick={() => void shareRoom()}>
                {t("people.shareRoom")}
              </Button>
            )
          }
        >
          {t(isAlone ? "call.ring.nobodyHere" : "call.line")}
        </EmptyState>
        <PeopleToCall />
      </div>
    </div>
  );
}
