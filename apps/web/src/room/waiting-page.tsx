import { useT } from "../i18n/use-t.ts";
import { EveryoneAvatar } from "../people/client-avatar.tsx";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { EditIcon, LeaveIcon, LockIcon, MoreIcon } from "../ui/icons.ts";
import { Menu } from "../ui/overlays.tsx";
import { LeafSpinner } from "../ui/spinner.tsx";
import { useBreakpoint } from "../ui/use-media-query.ts";
import { useProfile, useRoom } from "../ui/warren-context.tsx";
import { RoomMenuItems } from "./room-menu.tsx";
import { useRoomActions } from "./use-room-actions.ts";
import { WaitingPanel } from "./waiting-panel.tsx";

/** The pane of an empty room: its header and the ways to invite somebody. */
export function WaitingPage() {
  const phone = useBreakpoint() === "phone";
  return (
    <section className="picture-window flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <header className="flex h-14 shrink-0 items-center gap-3 border-b border-line bg-surface px-4">
        {phone ? <RoomTitle /> : <EveryoneTitle />}
      </header>
      <WaitingPanel />
    </section>
  );
}

function EveryoneTitle() {
  const t = useT();
  const { status } = useRoom();
  const { editRoom, leave } = useRoomActions();
  return (
    <>
      <EveryoneAvatar size={36} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-heading-sm">{t("people.everyone")}</p>
        <p className="truncate text-meta text-text-2">{t("waiting.nobody")}</p>
      </div>
      <Button variant="ghost" icon={EditIcon} onClick={() => void editRoom()}>
        {t("waiting.editRoom")}
      </Button>
      <Button
        variant="ghost"
        icon={LeaveIcon}
        loading={status === "connecting"}
        loadingMark={<LeafSpinner size={16} />}
        onClick={() => void leave()}
      >
        {t("waiting.leave")}
      </Button>
    </>
  );
}

function RoomTitle() {
  const t = useT();
  const { roomId, password } = useProfile();
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-heading-sm">
          <span className="truncate">{roomId}</span>
          {password !== null && (
            <>
              <LockIcon size={14} className="stroke-[1.75] text-text-2" />
              <span className="sr-only">{t("people.locked")}</span>
            </>
          )}
        </p>
        <p className="truncate text-meta text-text-2">{t("waiting.nobody")}</p>
      </div>
      <Menu trigger={<IconButton icon={MoreIcon} label={t("people.roomMenu")} />}>
        <RoomMenuItems inList={false} />
      </Menu>
    </>
  );
}
