import type { RoomMember } from "@warren/protocol";

/** Whether we yield to the other: the later joiner does; with equal order, the one with the greater id. */
export function isPolite(self: RoomMember, other: RoomMember): boolean {
  return self.order === other.order ? self.clientId > other.clientId : self.order > other.order;
}
