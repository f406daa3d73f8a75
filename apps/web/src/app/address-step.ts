import { type RoomState, roomIdOf } from "@warren/core";

/** The room we are in or joining, and the one that the address names. */
export interface AddressSituation {
  /** `everyone` is the conversation with everyone, whose address is the same in every room. */
  readonly page: "home" | "everyone" | "other";
  readonly named: string | null;
  readonly room: RoomState;
}

/**
 * How the address and our room are made to agree: `enter` joins the room that the address names, `record` writes our room into the
 * history entry, `replace` writes it into the address, and `push` writes it into the address of a new history entry. Outside of a
 * room, `replace` removes the room from the address.
 */
type AddressStep = "stay" | "enter" | "record" | "replace" | "push";

/** Why they differ: the address names no room, we `moved` to another room, joining failed, or the page `stepped` to another address. */
type Cause = "unnamed" | "moved" | "failed" | "stepped" | "neither";

type Steps = Readonly<Partial<Record<Cause, AddressStep>>>;

/** The step for each cause; a cause that a row leaves out means `stay`. */
const steps: Readonly<Record<AddressSituation["page"], { readonly inside: Steps; readonly outside: Steps }>> =
  {
    home: {
      inside: { unnamed: "replace", moved: "push", stepped: "enter" },
      // A room that could not be joined is tried again by a reload.
      outside: { moved: "replace", stepped: "enter" },
    },
    everyone: {
      inside: { unnamed: "record", moved: "record", stepped: "enter" },
      // This page belongs to the room that is joined next.
      outside: {},
    },
    other: { inside: {}, outside: {} },
  };

/** What follows from a change of the room or of the address. */
export function addressStep(before: Omit<AddressSituation, "page">, now: AddressSituation): AddressStep {
  const roomId = roomIdOf(now.room);
  if (now.named === roomId) return "stay";
  return steps[now.page][roomId === null ? "outside" : "inside"][causeOf(before, now)] ?? "stay";
}

function causeOf(before: Omit<AddressSituation, "page">, { named, room }: AddressSituation): Cause {
  if (named === null) return "unnamed";
  if (roomIdOf(before.room) !== roomIdOf(room))
    return before.room.status === "connecting" && room.status === "disconnected" && room.error !== null
      ? "failed"
      : "moved";
  return named === before.named ? "neither" : "stepped";
}
