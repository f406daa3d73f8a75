import type { RoomTag } from "@warren/protocol";
import type { Clock } from "../clock.ts";
import type { AdmissionBudgets } from "../limits/admission-budgets.ts";
import { Room } from "../rooms/room.ts";
import type { Relay, RoomListener, SeatAnswer, SeatRequest } from "./relay.ts";

/** What rooms in memory need. */
export interface MemoryRelayOptions {
  readonly clock: Clock;
  readonly maxMembers: number;
  readonly budgets: AdmissionBudgets;
}

/** Rooms in the memory of this process. */
export class MemoryRelay implements Relay {
  readonly #options: MemoryRelayOptions;
  readonly #startedAt: number;
  readonly #rooms = new Map<RoomTag, Room>();

  constructor(options: MemoryRelayOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  async enter(request: SeatRequest, listener: RoomListener): Promise<SeatAnswer> {
    const known = this.#rooms.get(request.room);
    if (!known && !request.mayOpenRoom()) return { status: "refused", reason: "rate-limited" };
    return (known ?? this.#open(request.room)).enter(request, listener);
  }

  close(): void {
    for (const room of this.#rooms.values()) room.close();
    this.#rooms.clear();
  }

  #open(tag: RoomTag): Room {
    const room = new Room({
      ...this.#options,
      tag,
      startedAt: this.#startedAt,
      onEmpty: () => this.#rooms.delete(tag),
    });
    this.#rooms.set(tag, room);
    return room;
  }
}
