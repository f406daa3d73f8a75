import type { RoomMembers } from "@warren/core";
import { useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { useJoinLink } from "../room/link/use-join-link.ts";
import { useLinkActions } from "../room/link/use-link-actions.ts";
import { useRoomActions } from "../room/use-room-actions.ts";
import { Button } from "../ui/button.tsx";
import { useAbortableEffect } from "../ui/hooks/use-abortable-effect.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { CopyIcon, QrIcon } from "../ui/icons.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";

interface AloneNoticeProps {
  /** Whether nothing else on the screen has the room's link. */
  readonly withInvite: boolean;
}

/** Tells who is alone in a room, before they write, who gets it. */
export function AloneNotice({ withInvite }: AloneNoticeProps) {
  const recipients = useLaterRecipients();
  const t = useT();
  return (
    <div className="border-line border-t bg-surface">
      <div className="mx-auto flex min-h-11 max-w-[792px] items-center gap-2 px-4 py-2 text-compact text-text-2">
        <p role="status" className="min-w-0 flex-1">
          {recipients !== null && t(`alone.${recipients}`)}
        </p>
        {withInvite && <InviteButtons />}
      </div>
    </div>
  );
}

function InviteButtons() {
  const t = useT();
  const link = useJoinLink({ withTurn: false });
  const { copy } = useLinkActions();
  const { shareRoom } = useRoomActions();
  return (
    <>
      <Button size="sm" icon={CopyIcon} className="shrink-0" onClick={() => void copy(link)}>
        {t("waiting.copyLink")}
      </Button>
      <IconButton size="sm" icon={QrIcon} label={t("people.shareRoom")} onClick={() => void shareRoom()} />
    </>
  );
}

/** Who gets what is written to everyone while nobody else is here; null until it is known who belongs to the room. */
function useLaterRecipients(): "anybody" | "members" | "membersAndNewcomers" | "removed" | "nobody" | null {
  const { chat } = useWarren();
  const tag = useStore(chat.store, ({ room }) => room);
  const room = useStore(chat.rooms, (rooms) => rooms.find((one) => one.tag === tag));
  const [members, setMembers] = useState<RoomMembers | null>(null);
  useAbortableEffect(
    (signal) => {
      const read = async (): Promise<void> => {
        // What cannot be read now belongs to nobody: the composer says so when it cannot store.
        const found = await chat.membersOf(tag).catch(() => ({}));
        if (!signal.aborted) setMembers(found);
      };
      void read();
    },
    [chat, tag],
  );
  if (!chat.hasRoomLog) return "nobody";
  if (members === null) return null;
  const met = Object.keys(members);
  if (met.length === 0) return "anybody";
  if (met.every((id) => room?.removed?.includes(id))) return "removed";
  return room?.showsNewcomers === true ? "membersAndNewcomers" : "members";
}
