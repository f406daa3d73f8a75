import type { Rate, RoomTag } from "@warren/protocol";
import type { Clock } from "../clock.ts";
import type { AdmissionBudgets } from "../limits/admission-budgets.ts";
import { resumeTokenLifetimeMs } from "../resume-token.ts";
import { Room } from "../rooms/room.ts";
import type { Relay, RelayState, RoomListener, SeatAnswer, SeatRequest } from "./relay.ts";

/** The dependencies of rooms in memory. */
export interface MemoryRelayOptions {
  readonly clock: Clock;
  readonly maxMembers: number;
  /** How many frames a socket may send; the default if absent. */
  readonly frameRate?: Rate;
  readonly budgets: AdmissionBudgets;
  /** Called when a room ends because its last member left. */
  readonly onEnded?: (room: RoomTag) => void;
}

/** Rooms in the memory of this process. */
export class MemoryRelay implements Relay {
  readonly #options: MemoryRelayOptions;
  readonly #startedAt: number;
  readonly #startedAtMs: number;
  readonly #rooms = new Map<RoomTag, Room>();
  /**
   * Rooms from before a restart that were restored and have ended: tokens from that time are invalid in later rooms of
   * the same name.
   */
  readonly #over = new Set<RoomTag>();

  constructor(options: MemoryRelayOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    this.#startedAtMs = options.clock.elapsedMs();
  }

  async enter(request: SeatRequest, listener: RoomListener): Promise<SeatAnswer> {
    return this.enterAtOnce(request, listener);
  }

  /** Synchronous, so that no event of the room can precede the answer. */
  enterAtOnce(request: SeatRequest, listener: RoomListener): SeatAnswer {
    const known = this.#rooms.get(request.room);
    if (!known && !request.mayOpenRoom()) return { status: "refused", reason: "rate-limited" };
    return (known ?? this.#open(request.room)).enter(request, listener);
  }

  get state(): RelayState {
    return { rooms: this.#rooms.size, redisServers: 0, redisServersUp: 0 };
  }

  get rooms(): readonly RoomTag[] {
    return [...this.#rooms.keys()];
  }

  has(room: RoomTag): boolean {
    return this.#rooms.has(room);
  }

  /** Opens a room whose process is gone: tokens issued until now refer to it. */
  reopen(room: RoomTag): void {
    if (!this.has(room)) this.#open(room, this.#options.clock.now());
  }

  /** Forgets a room that lives elsewhere, without notifying anybody. */
  forget(room: RoomTag): void {
    this.#rooms.get(room)?.close();
    this.#rooms.delete(room);
  }

  close(): void {
    for (const room of this.#rooms.values()) room.close();
    this.#rooms.clear();
  }

  get #honoursTokensOfBefore(): boolean {
    return this.#options.clock.elapsedMs() < this.#startedAtMs + resumeTokenLifetimeMs;
  }

  #open(tag: RoomTag, startedAt = this.#startedAt): Room {
    const room = new Room({
      ...this.#options,
      tag,
      startedAt,
      isOver: this.#over.has(tag),
      onEmpty: (wasReclaimed) => {
        this.#rooms.delete(tag);
        this.#options.onEnded?.(tag);
        if (wasReclaimed && this.#honoursTokensOfBefore) this.#over.add(tag);
        else if (!this.#honoursTokensOfBefore) this.#over.clear();
      },
    });
    this.#rooms.set(tag, room);
    return room;
  }
}
