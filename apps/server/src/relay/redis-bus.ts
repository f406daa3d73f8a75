import { createClient } from "@redis/client";
import type { RoomTag } from "@warren/protocol";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { type Guess, guessesCountMs } from "../limits/admission-budgets.ts";

/** A node that has not renewed its lease for this long is dead. */
export const nodeLeaseMs = 5_000;
/**
 * If it is not subscribed to its channel either, it is dead sooner: Redis notices closed sockets of a killed process at
 * once, while a process that only waits for the CPU stays subscribed.
 */
const silentLeaseMs = 2_000;
/** A room's home is stored for as long as resume tokens are valid, in case its node dies. */
const roomLeaseMs = 600_000;
const roomsAtOnce = 500;
const maxReconnectMs = 2_000;
/** How long Redis may take to answer a node that stops. */
const farewellWithinMs = 1_000;
/** The most commands and messages queued for a slow Redis; more are rejected. */
const maxWaiting = 50_000;

const nodeKey = (node: string) => `warren:node:${node}`;
const roomKey = (room: RoomTag) => `warren:room:${room}`;
const guessesKey = (room: RoomTag) => `warren:guesses:${room}`;

/**
 * Whether a node is alive. With `impatient` '1', a node that is not subscribed and has not renewed its lease for a while
 * counts as dead. Where Redis forbids PUBSUB, all nodes count as subscribed.
 */
const isAlive = `
local function isAlive(node, impatient)
  local key = 'warren:node:' .. node
  local leftMs = redis.call('PTTL', key)
  if leftMs <= 0 then return false end
  if impatient ~= '1' or leftMs > ${nodeLeaseMs - silentLeaseMs} then return true end
  local listeners = redis.pcall('PUBSUB', 'NUMSUB', key)
  return listeners.err ~= nil or listeners[2] > 0
end`;

/** Answers for each node with 1 if it lives. */
const aliveScript = `${isAlive}
local alive = {}
for i, node in ipairs(ARGV) do
  if i > 1 then alive[i - 1] = isAlive(node, ARGV[1]) and 1 or 0 end
end
return alive`;

/**
 * A key of another type, which something else wrote, is removed: the error of each command would make its room unusable
 * for ever. `removed` counts them.
 */
const has = `
local removed = 0
local function has(key, type)
  local found = redis.call('TYPE', key).ok
  if found ~= 'none' and found ~= type then removed = removed + redis.call('DEL', key) end
  return found == type
end`;

/** The time of Redis, so that nodes with different clocks agree on the age of a guess. */
const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * A room belongs to the first node that claims it; if that dies, to the next. The new home receives the guesses at the
 * room's password and their ages.
 */
const claimScript = `${now}${isAlive}${has}
local home = has(KEYS[1], 'string') and redis.call('GET', KEYS[1])
local hasGuesses = has(KEYS[2], 'zset')
if home and (home == ARGV[1] or isAlive(home, ARGV[5])) then return {removed, home, 'taken'} end
if not home and ARGV[3] == '0' then return {removed, '', 'free'} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
local guesses = hasGuesses and redis.call('ZRANGEBYSCORE', KEYS[2], now - ARGV[4], '+inf', 'WITHSCORES') or {}
for i = 2, #guesses, 2 do guesses[i] = now - guesses[i] end
return {removed, ARGV[1], home and 'orphaned' or 'free', guesses}`;

/** For each room: its home, if that is another live node. */
const renewScript = `${has}
local homes = {}
for i, key in ipairs(KEYS) do
  local home = has(key, 'string') and redis.call('GET', key)
  if home and home ~= ARGV[1] and redis.call('EXISTS', 'warren:node:' .. home) == 1 then homes[i] = home
  else
    redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
    homes[i] = ''
  end
end
return {removed, unpack(homes)}`;

const addGuessScript = `${now}${has}
has(KEYS[1], 'zset')
redis.call('ZADD', KEYS[1], now - ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {removed}`;

const releaseScript = `${has}
if has(KEYS[1], 'string') and redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return {removed}`;

/** Where a room lives. `free` and `orphaned` rooms belong to the asking node from now on, if it claimed them. */
export interface Claimed {
  readonly home: string;
  readonly how: "taken" | "free" | "orphaned";
  /** Guesses at its password, for its new home to count. */
  readonly guesses: readonly Guess[];
}

/** The events of a Redis bus. */
export interface BusListener {
  readonly onMessage: (text: string) => void;
  /** Redis answers, for the first time or again: messages may be lost, and it may have lost all data. */
  readonly onUp: () => void;
}

/** The dependencies of a bus. */
export interface BusDeps {
  readonly url: string;
  /** The name of this node. */
  readonly node: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One Redis: it stores which nodes are alive and where each room lives, and carries messages to each node's channel. */
export class RedisBus {
  readonly #node: string;
  readonly #commands: ReturnType<typeof createClient>;
  readonly #messages: ReturnType<typeof createClient>;
  readonly #clock: Clock;
  readonly #log: Logger;
  #isSubscribed = false;
  #isClosed = false;
  #hasWarned = false;

  /** Reconnects automatically and indefinitely. */
  constructor({ url, node, clock, log }: BusDeps, listener: BusListener) {
    this.#node = node;
    this.#clock = clock;
    this.#log = log;
    this.#commands = createClient({
      url,
      disableOfflineQueue: true,
      commandsQueueMaxLength: maxWaiting,
      pingInterval: nodeLeaseMs,
      socket: {
        connectTimeout: 5_000,
        reconnectStrategy: (retries) => Math.random() * Math.min(maxReconnectMs, 100 * 2 ** retries),
      },
    });
    this.#messages = this.#commands.duplicate();
    const onUp = () => {
      if (this.isUp && !this.#isClosed) listener.onUp();
    };
    const subscribe = () => this.#messages.subscribe(nodeKey(node), listener.onMessage);
    this.#commands.on("ready", onUp);
    this.#messages.on("ready", () => {
      // Once subscribed, the client subscribes again after each reconnect, before it reports `ready`.
      if (this.#isSubscribed) onUp();
      else
        subscribe().then(() => {
          this.#isSubscribed = true;
          onUp();
        }, this.#onLost);
    });
    for (const client of [this.#commands, this.#messages]) {
      client.on("error", this.#onLost);
      client.connect().catch(this.#onLost);
    }
  }

  /** Whether both commands and messages get through. */
  get isUp(): boolean {
    return this.#isSubscribed && this.#commands.isReady && this.#messages.isReady;
  }

  /** Renews this node's lease. @throws if Redis does not answer. */
  async beat(): Promise<void> {
    try {
      await this.#commands.set(nodeKey(this.#node), "1", { PX: nodeLeaseMs });
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("READONLY")) this.#reconnect();
      throw error;
    }
  }

  /**
   * The dead ones among these nodes.
   * @param isImpatient do not wait for the lease of an unsubscribed node to expire
   * @throws when Redis does not answer.
   */
  async deadAmong(nodes: readonly string[], isImpatient: boolean): Promise<string[]> {
    if (nodes.length === 0) return [];
    const alive = asTexts(
      await this.#commands.eval(aliveScript, { arguments: [isImpatient ? "1" : "0", ...nodes] }),
    );
    return nodes.filter((_, index) => alive[index] === "0");
  }

  /**
   * @param isImpatient as for {@link deadAmong}
   * @throws when Redis does not answer.
   */
  async claim(room: RoomTag, wants: boolean, isImpatient: boolean): Promise<Claimed> {
    const [home, how, guesses] = await this.#run(
      claimScript,
      [roomKey(room), guessesKey(room)],
      [this.#node, roomLeaseMs, wants ? 1 : 0, guessesCountMs, isImpatient ? 1 : 0],
    );
    if (typeof home !== "string" || (how !== "taken" && how !== "free" && how !== "orphaned"))
      throw new Error("Redis answers what no script says");
    return { home, how, guesses: asGuesses(asTexts(guesses)) };
  }

  /** Claims rooms of this node again. @returns those that live elsewhere. @throws if Redis does not answer. */
  async renew(rooms: readonly RoomTag[]): Promise<RoomTag[]> {
    const lost: RoomTag[] = [];
    for (let next = 0; next < rooms.length; next += roomsAtOnce) {
      const some = rooms.slice(next, next + roomsAtOnce);
      const homes = await this.#run(renewScript, some.map(roomKey), [this.#node, roomLeaseMs]);
      lost.push(...some.filter((_, index) => homes[index] !== ""));
    }
    return lost;
  }

  /** Releases a room of this node that has ended. */
  release(room: RoomTag): void {
    this.#run(releaseScript, [roomKey(room)], [this.#node]).catch(this.#onLost);
  }

  /** Stores a guess for the next home of its room. */
  addGuess(room: RoomTag, { limit, id, ageMs }: Guess): void {
    this.#run(
      addGuessScript,
      [guessesKey(room)],
      [`${limit} ${id}`, Math.round(ageMs), guessesCountMs],
    ).catch(this.#onLost);
  }

  removeGuess(room: RoomTag, { limit, id }: Pick<Guess, "limit" | "id">): void {
    this.#commands.zRem(guessesKey(room), `${limit} ${id}`).catch(this.#onLost);
  }

  /** Sends a message at most once. */
  publish(to: string, text: string): void {
    this.#commands.publish(nodeKey(to), text).catch(this.#onLost);
  }

  /** Releases the lease, so that no node waits until it expires, and notifies these nodes. */
  async close(nodes: Iterable<string>, farewell: string): Promise<void> {
    const retired = this.isUp ? this.#commands.del(nodeKey(this.#node)) : Promise.resolve();
    const notified = [...nodes].map((node) => this.#commands.publish(nodeKey(node), farewell));
    this.#isClosed = true;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(farewellWithinMs, resolve);
      void Promise.allSettled([retired, ...notified]).then(() => {
        cancel();
        resolve();
      });
    });
    for (const client of [this.#commands, this.#messages]) client.destroy();
  }

  /** Runs a script that answers first how many keys it removed. @returns the rest of its answer */
  async #run(script: string, keys: string[], given: (string | number)[]): Promise<unknown[]> {
    const answer: unknown = await this.#commands.eval(script, { keys, arguments: given.map(String) });
    const [removed, ...rest] = Array.isArray(answer) ? answer : [];
    if (removed !== 0 && !this.#hasWarned) {
      this.#hasWarned = true;
      this.#log.warn(
        "Redis held a key of another type in place of a room's, which was removed: something else writes to the keys warren:*",
      );
    }
    return rest;
  }

  /** Reconnects after the server became a replica, which refuses writes: a new connection reaches the current master. */
  #reconnect(): void {
    if (this.#isClosed) return;
    this.#isSubscribed = false;
    for (const client of [this.#commands, this.#messages]) {
      client.destroy();
      client.connect().catch(this.#onLost);
    }
  }

  readonly #onLost = (error: unknown): void => {
    if (!this.#isClosed) this.#log.debug({ err: error }, "redis does not answer");
  };
}

function asTexts(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}

/** Parses a list of members of the set, each followed by its age. */
function asGuesses(list: readonly string[]): Guess[] {
  return list.flatMap((name, index) => {
    if (index % 2 === 1) return [];
    const [limit, id] = name.split(" ");
    const ageMs = Number(list[index + 1]);
    return limit && id && Number.isFinite(ageMs) ? [{ limit, id, ageMs }] : [];
  });
}
