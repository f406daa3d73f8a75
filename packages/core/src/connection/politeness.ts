import type { RoomMember } from "@warren/protocol";

/** Whether we give way to the other: the later joiner does; of two with the same place, the one with the greater id. */
export function isPolite(self: RoomMember, other: RoomMember): boolean {
  return self.order === other.order ? self.clientId > other.clientId : self.order > other.order;
}
