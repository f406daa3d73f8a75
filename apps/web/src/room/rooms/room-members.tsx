import type { RoomMembers as Met, VisitedRoom } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { OwnAvatar, PersonAvatar } from "../../people/person-avatar.tsx";
import { usePerson } from "../../people/use-person.ts";
import { Button } from "../../ui/button.tsx";
import { Collapsible } from "../../ui/collapsible.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { useProfile, useStore, useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { useRoomState } from "./use-room-state.ts";

interface RoomMembersProps {
  readonly room: VisitedRoom;
  readonly isUnfolded: boolean;
  readonly onRemove: (member: ClientId) => void;
}

/** Us and those whom we have met in a room, who was seen last first, and those removed at the end; nothing while there is nobody else. */
export function RoomMembers({ room, isUnfolded, onRemove }: RoomMembersProps) {
  const t = useT();
  const { chat } = useWarren();
  const { isHere } = useRoomState(room);
  const removed = useStore(chat.rooms, (rooms) => rooms.find(({ tag }) => tag === room.tag)?.removed) ?? [];
  const [met, setMet] = useState<Met>({});
  useEffect(() => {
    void withErrorToast(async () => setMet(await chat.membersOf(room.tag)));
  }, [chat, room.tag]);
  const seenAt = (id: ClientId) => met[id]?.lastSeen ?? 0;
  const bySeen = (one: ClientId, other: ClientId) => seenAt(other) - seenAt(one);
  const members = Object.keys(met).filter((id) => !removed.includes(id));
  if (members.length + removed.length === 0) return null;
  return (
    <Collapsible
      title={t("rooms.members", { count: members.length + 1 })}
      {...(isUnfolded && { opensFor: room.tag })}
      className="mt-1"
    >
      <ul className="flex flex-col">
        <OwnRow />
        {members.sort(bySeen).map((id) => (
          <Member key={id} id={id} name={met[id]?.name} lastSeen={seenAt(id)} isInRoom={isHere}>
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
          <Member key={id} id={id} name={met[id]?.name} lastSeen={null} isInRoom={isHere}>
            {(name) => (
              <Button
                size="sm"
                variant="ghost"
                aria-label={t("common.actionOf", { action: t("rooms.allowAgain"), name })}
                onClick={() => void withErrorToast(() => chat.allowMember(room.tag, id))}
              >
                {t("rooms.allowAgain")}
              </Button>
            )}
          </Member>
        ))}
      </ul>
    </Collapsible>
  );
}

function OwnRow() {
  const t = useT();
  const { name } = useProfile();
  return (
    <li className="flex min-h-11 items-center gap-3">
      <OwnAvatar size={28} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-body">{name}</span>
        <span className="block truncate text-meta text-text-2">{t("common.you")}</span>
      </span>
    </li>
  );
}

interface MemberProps {
  readonly id: ClientId;
  /** What it was called when we last met it in the room. */
  readonly name: string | undefined;
  /** Null for one that was removed. */
  readonly lastSeen: number | null;
  readonly isInRoom: boolean;
  readonly children: (name: string) => React.ReactNode;
}

function Member({ id, name: lastName, lastSeen, isInRoom, children }: MemberProps) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const { name, avatar, isHere } = usePerson(id, lastName);
  const seen =
    isInRoom && isHere
      ? t("rooms.memberHere")
      : t("rooms.memberSeen", { date: format.stamp(lastSeen ?? 0, now) });
  return (
    <li className="flex min-h-11 items-center gap-3">
      <PersonAvatar id={id} name={name} avatar={avatar} size={28} />
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
