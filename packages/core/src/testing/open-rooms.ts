import type { RoomSecurity } from "../sealed/sealed-room.ts";
import { openSeat } from "./open-seat.ts";
import { OpenSignalLinks } from "./open-signal-links.ts";

/** Rooms without a handshake, for tests of the layers above it. */
export const openRooms: RoomSecurity = {
  prepare: () => {},
  enter: () => ({ ...openSeat, links: (sender) => new OpenSignalLinks(sender) }),
  logTag: async ({ roomTag }) => roomTag,
  certificates: async () => [],
  on: () => () => {},
  letIn: () => {},
};
