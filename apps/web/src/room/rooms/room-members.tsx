import type { KeptRoom, RoomMembers as Met } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { ClientAvatar } from "../../people/client-avatar.tsx";
import { usePerson } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { Folded } from "../../ui/folded.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { useRun } from "../../wiring/use-run.ts";
import { useStore, useWarren } from "../../wiring/warren-context.tsx";
import { useRoomState } from "./rooms-dialog.tsx";

interface RoomMembersProps {
  readonly room: KeptRoom;
  readonly isUnfolded: boolean;
  readonly onRemove: (member: ClientId) => void;
}

/** Those whom we have met in a room, who was seen last first, and those removed at the end; nothing while there are none. */
export function RoomMembers({ room, isUnfolded, onRemove }: RoomMembersProps) {
  const t = useT();
  const run = useRun();
  const { chat } = useWarren();
  const { isHere } = useRoomState(room);
  const removed = useStore(chat.rooms, (rooms) => rooms.find(({ tag }) => tag === room.tag)?.removed) ?? [];
  const [met, setMet] = useState<Met>({});
  useEffect(() => {
    void run(async () => setMet(await chat.membersOf(room.tag)));
  }, [run, chat, room.tag]);
  const seenAt = (id: ClientId) => met[id]?.lastSeen ?? 0;
  const bySeen = (one: ClientId, other: ClientId) => seenAt(other) - seenAt(one);
  const members = Object.keys(met).filter((id) => !removed.includes(id));
  if (members.length + removed.length === 0) return null;
  return (
    <Folded
      title={t("rooms.members", { count: members.length })}
      {...(isUnfolded && { opensFor: room.tag })}
      className="mt-4"
    >
      <ul className="flex flex-col">
        {members.sort(bySeen).map((id) => (
          <Member key={id} id={id} lastSeen={seenAt(id)} isInRoom={isHere}>
            {(name) => (
              <Button
                size="sm"
                variant="ghost"
                aria-label={t("common.actionOf", { action: t("common.remove"), name })}
                onClick={() => onRemove(id)}
              >
                {t("common.remove")}
              </Button>
            )}
          </Member>
        ))}
        {[...removed].sort(bySeen).map((id) => (
          <Member key={id} id={id} lastSeen={null} isInRoom={isHere}>
            {(name) => (
              <Button
                size="sm"
                variant="ghost"
                aria-label={t("common.actionOf", { action: t("rooms.allowAgain"), name })}
                onClick={() => void run(() => chat.allowMember(room.tag, id))}
              >
                {t("rooms.allowAgain")}
              </Button>
            )}
          </Member>
        ))}
      </ul>
    </Folded>
  );
}

interface MemberProps {
  readonly id: ClientId;
  /** Null for one that was removed. */
  readonly lastSeen: number | null;
  readonly isInRoom: boolean;
  readonly children: (name: string) => React.ReactNode;
}

function Member({ id, lastSeen, isInRoom, children }: MemberProps) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const { name, avatar, isHere } = usePerson(id);
  const seen =
    isInRoom && isHere
      ? t("rooms.memberHere")
      : t("rooms.memberSeen", { date: format.stamp(lastSeen ?? 0, now) });
  return (
    <li className="flex min-h-11 items-center gap-3">
      <ClientAvatar clientId={id} name={name} avatar={avatar} size={28} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-body">{name}</span>
        <span className="block truncate text-meta text-text-2">
          {lastSeen === null ? t("rooms.memberRemoved") : seen}
        </span>
      </span>
      {children(name)}
    </li>
  );
}
