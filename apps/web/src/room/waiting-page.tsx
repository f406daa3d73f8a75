import { useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { EveryoneAvatar, OwnAvatar } from "../people/client-avatar.tsx";
import { Button } from "../ui/button.tsx";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { EditIcon, LeaveIcon, LockIcon, MoreIcon } from "../ui/icons.ts";
import { Menu } from "../ui/overlays/menu.tsx";
import { Passage } from "../ui/passage.tsx";
import { LeafSpinner, Spinner } from "../ui/spinner.tsx";
import { StatusDot } from "../ui/status-dot.tsx";
import { useProfile, useRoom, useRoomStatus } from "../wiring/warren-context.tsx";
import { QrCode } from "./link/qr-code.tsx";
import { RoomLink, ShareTurnChoice } from "./link/room-link.tsx";
import { useJoinLink } from "./link/use-join-link.ts";
import { LocalNetworkHint } from "./local-network-hint.tsx";
import { RoomMenuItems } from "./room-menu.tsx";
import { useRoomName } from "./room-name.ts";
import { useRoomActions } from "./use-room-actions.ts";

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

/** Shown while alone in a room: the link, in every form that can be shared. */
function WaitingPanel() {
  const t = useT();
  const profile = useProfile();
  const room = useRoom();
  const [withTurn, setWithTurn] = useState(false);
  const link = useJoinLink({ withTurn });
  const connected = room.status === "connected" && room.signalling === "online";
  return (
    <div className="flex min-h-0 min-w-0 flex-1 overflow-y-auto px-5 py-6 md:py-8">
      <section className="on-picture mx-auto w-full min-w-0 max-w-[600px] @container [--picture-inset:20px] md:my-auto">
        <Passage from={<OwnAvatar size={44} />} opening={44} className="mb-7 max-md:hidden" />
        <h1 className="text-title-lg">{t("waiting.title")}</h1>
        <p className="mt-1.5 text-body-lg text-text-2">{t("waiting.line")}</p>
        <div className="mt-6 flex items-center gap-8 @max-[560px]:flex-col @max-[560px]:gap-5">
          <QrCode text={link} className="shrink-0" />
          <div className="w-full min-w-0 flex-1">
            <RoomLink link={link} />
            <ShareTurnChoice checked={withTurn} onChange={setWithTurn} />
            <p className="mt-3 text-meta text-text-3">
              {profile.password === null ? t("waiting.anyone") : t("waiting.anyonePassword")}
            </p>
            <LocalNetworkHint className="mt-3" />
          </div>
        </div>
        <p
          role="status"
          className="mt-8 flex items-center gap-2.5 border-t border-line pt-5 text-compact text-text-2"
        >
          {connected ? <StatusDot status="online" /> : <Spinner className="text-accent" />}
          {connected ? t("waiting.connected") : t("waiting.connecting")}
        </p>
      </section>
    </div>
  );
}

function EveryoneTitle() {
  const t = useT();
  const status = useRoomStatus();
  const { editRoom, leave } = useRoomActions();
  return (
    <>
      <EveryoneAvatar size={36} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-heading-sm">{t("people.everyone")}</p>
      </div>
      <Button variant="ghost" icon={EditIcon} onClick={() => void editRoom()}>
        {t("join.edit")}
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
  const { password } = useProfile();
  const name = useRoomName();
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-heading-sm">
          <span className="truncate">{name}</span>
          {password !== null && (
            <>
              <LockIcon size={14} className="stroke-[1.75] text-text-2" />
              <span className="sr-only">{t("people.locked")}</span>
            </>
          )}
        </p>
      </div>
      <Menu trigger={<IconButton icon={MoreIcon} label={t("people.roomMenu")} />}>
        <RoomMenuItems inList={false} />
      </Menu>
    </>
  );
}
