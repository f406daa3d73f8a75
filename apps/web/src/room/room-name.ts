import type { KeptRoom } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import type { Translate } from "../i18n/messages.ts";
import { useT } from "../i18n/use-t.ts";
import { useName, useNameOf } from "../people/use-person.ts";
import { useProfile, useStore, useWarren } from "../wiring/warren-context.tsx";

/** What a room is called here: as the person calls it, the two of a room that was joined by code, or its own name. */
function nameOf(room: Omit<Named, "tag">, t: Translate, nameOfPerson: (id: ClientId) => string): string {
  if (room.title !== undefined) return room.title;
  return room.metWith === undefined ? room.id : t("rooms.pair", { name: nameOfPerson(room.metWith) });
}

type Named = Pick<KeptRoom, "id" | "tag" | "title" | "metWith">;

/** Returns a function that gives the name of any kept room. */
export function useNameOfRoom(): (room: Named) => string {
  const t = useT();
  const nameOfPerson = useNameOf();
  return (room) => nameOf(room, t, nameOfPerson);
}

/** The room we are in, or that the profile names, once it was visited. */
export function useKeptRoom(): KeptRoom | undefined {
  const { chat } = useWarren();
  const present = useStore(chat.store, ({ room }) => room);
  return useStore(chat.rooms, (rooms) => rooms.find(({ tag }) => tag === present));
}

/** What the room of the profile is called. */
export function useRoomName(): string {
  const t = useT();
  const { roomId } = useProfile();
  const kept = useKeptRoom();
  const partner = useName(kept?.metWith ?? "");
  return nameOf(kept ?? { id: roomId }, t, () => partner);
}
