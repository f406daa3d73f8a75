import { Passage } from "../../brand/passage.tsx";
import { useT } from "../../i18n/use-t.ts";
import { OwnAvatar } from "../../people/person-avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { PeopleIcon } from "../../ui/icons.ts";
import { useRoomActions } from "../use-room-actions.ts";
import { ArrivalFrame } from "./arrival-frame.tsx";

/** The page while another tab of this browser is in a room, and there is nothing to look back on. */
export function ElsewherePage({ roomId }: { readonly roomId: string }) {
  return (
    <ArrivalFrame title={roomId}>
      <ElsewhereCard roomId={roomId} />
    </ArrivalFrame>
  );
}

/** That another tab of this browser is in a room: one sentence, one button. */
export function ElsewhereCard({ roomId }: { readonly roomId: string }) {
  const t = useT();
  const { join } = useRoomActions();
  return (
    <div className="on-picture flex w-full max-w-[376px] flex-col items-center text-center [--picture-inset:20px]">
      <Passage from={<OwnAvatar size={52} />} to={<PeopleIcon size={22} />} />
      <h1 className="mt-7 max-w-full text-balance break-words text-title-lg">
        {t("connection.elsewhere", { room: roomId })}
      </h1>
      <Button variant="primary" size="lg" className="mt-6 w-full" onClick={() => void join()}>
        {t("connection.useHere")}
      </Button>
    </div>
  );
}
