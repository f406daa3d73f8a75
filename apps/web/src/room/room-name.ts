import type { VisitedRoom } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import type { Translate } from "../i18n/messages.ts";
import { useT } from "../i18n/use-t.ts";
import { useName, useNameOf } from "../people/use-person.ts";
import { useProfile, useStore, useWarren } from "../wiring/warren-context.ts";

/** What a room is called here: as the person calls it, the two of a room that was joined by code, or its own name. */
function nameOf(
  room: Pick<Named, "id" | "title" | "metWith">,
  t: Translate,
  nameOfPerson: (id: ClientId) => string,
): string {
  if (room.title !== undefined) return room.title;
  return room.metWith === undefined ? room.id : t("rooms.pair", { name: nameOfPerson(room.metWith) });
}

type Named = Pick<VisitedRoom, "id" | "tag" | "title" | "metWith" | "password" | "firstVisit">;

/**
 * Returns a function that gives the name of any visited room, and what tells it from others of this name. Re-renders when the visited
 * rooms change.
 */
export function useNameOfRoom(): (room: Named) => string {
  const t = useT();
  const nameOfPerson = useNameOf();
  const rooms = useStore(useWarren().chat.rooms);
  return (room) => {
    const name = nameOf(room, t, nameOfPerson);
    const namesakes = rooms.filter((each) => each.tag !== room.tag && nameOf(each, t, nameOfPerson) === name);
    if (namesakes.length === 0) return name;
    if (room.password === null) return t("rooms.withoutPassword", { room: name });
    const before = namesakes.filter(
      ({ password, firstVisit }) => password !== null && firstVisit < room.firstVisit,
    ).length;
    if (before === 0) return t("rooms.withPassword", { room: name });
    return before === 1
      ? t("rooms.withAnother", { room: name })
      : t("rooms.withYetAnother", { room: name, number: before + 1 });
  };
}

/** The room we are in, or that the profile names, once it was visited. */
export function useVisitedRoom(): VisitedRoom | undefined {
  return useOfVisitedRoom((visited) => visited);
}

/** Something of the visited room; re-renders only when that changes, and not with each join, which notes the visit. */
function useOfVisitedRoom<T>(select: (visited: VisitedRoom | undefined) => T): T {
  const { chat } = useWarren();
  const present = useStore(chat.store, ({ room }) => room);
  return useStore(chat.rooms, (rooms) => select(rooms.find(({ tag }) => tag === present)));
}

/** What the room of the profile is called. */
export function useRoomName(): string {
  const t = useT();
  const { roomId } = useProfile();
  const partner = useName(useOfVisitedRoom((visited) => visited?.metWith ?? ""));
  return useOfVisitedRoom((visited) => nameOf(visited ?? { id: roomId }, t, () => partner));
}
