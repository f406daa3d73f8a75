import type { RoomSecurity } from "../sealed/sealed-room.ts";
import { Emitter } from "../shared/emitter.ts";
import { openSeat } from "./open-seat.ts";
import { OpenSignalLinks } from "./open-signal-links.ts";

/** Rooms without a handshake, for tests of the layers above it. */
export const openRooms: RoomSecurity = {
  prepare: () => {},
  enter: () => ({ ...openSeat, links: (sender) => new OpenSignalLinks(sender) }),
  certificates: async () => [],
  events: new Emitter(),
  letIn: () => {},
};
