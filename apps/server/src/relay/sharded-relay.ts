import { createHash } from "node:crypto";
import type { RoomTag } from "@warren/protocol";
import type { Relay, RelayState, RoomListener, SeatAnswer, SeatRequest } from "./relay.ts";

/**
 * Distributes rooms over several relays by rendezvous hashing: all nodes agree on a room's relay, whatever the order of
 * their lists, and an added relay only takes over rooms.
 */
export class ShardedRelay implements Relay {
  readonly #shards: ReadonlyMap<string, Relay>;

  constructor(shards: ReadonlyMap<string, Relay>) {
    this.#shards = shards;
  }

  get state(): RelayState {
    const states = [...this.#shards.values()].map(({ state }) => state);
    const sumOf = (key: keyof RelayState) => states.reduce((sum, state) => sum + state[key], 0);
    return {
      rooms: sumOf("rooms"),
      redisServers: sumOf("redisServers"),
      redisServersUp: sumOf("redisServersUp"),
    };
  }

  async enter(request: SeatRequest, listener: RoomListener): Promise<SeatAnswer> {
    const shard = this.#shards.get(shardOf(request.room, [...this.#shards.keys()]));
    if (!shard) throw new Error("there is no relay");
    return shard.enter(request, listener);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#shards.values()].map((shard) => shard.close()));
  }
}

/** The name of a room's relay. */
export function shardOf(room: RoomTag, names: readonly string[]): string {
  let [best = "", most = -1] = [names[0]];
  for (const name of names) {
    const weight = createHash("sha256").update(`${room} ${name}`).digest().readUIntBE(0, 6);
    if (weight > most) [best, most] = [name, weight];
  }
  return best;
}
