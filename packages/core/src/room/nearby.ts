import { type ErrorCode, toWarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { Environment } from "../ports/environment.ts";
import type { Settings } from "../settings/settings.ts";
import { Countdown } from "../shared/countdown.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import type { RoomService } from "./room-service.ts";

/** How it stands with the pages of our network. */
export type NearbyStatus =
  | "off"
  /** In a room, or about to join one; they come back after it. */
  | "away"
  | "joining"
  | "on"
  /** Too many share our address. */
  | "full"
  /** The server does not answer, or asks us to wait. */
  | "unreachable"
  /** The server does not know our network. */
  | "unavailable"
  /** Another tab of this browser meets them. */
  | "elsewhere";

/** What follows from the reason why we do not meet them, and after how many ms we try again; null: until something changes. */
const failures: Partial<
  Record<ErrorCode, { readonly status: NearbyStatus; readonly againMs: number | null }>
> = {
  "room-full": { status: "full", againMs: 30_000 },
  "nearby-unavailable": { status: "unavailable", againMs: null },
  "another-version": { status: "unavailable", againMs: null },
  "signalling-replaced": { status: "elsewhere", againMs: null },
};
const otherFailure = { status: "unreachable", againMs: 10_000 } as const;

interface NearbyDeps {
  readonly room: RoomService;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly environment: Environment;
}

/**
 * The pages of our network are a room that is joined whenever the person has turned it on and there is no other: one room is
 * live at a time, so a room that is joined ends it for as long.
 */
export class Nearby {
  readonly store: ReadableStore<NearbyStatus>;
  readonly #store: WritableStore<NearbyStatus> = createStore<NearbyStatus>("off");
  readonly #deps: NearbyDeps;
  readonly #again: Countdown;
  #stopListening: readonly (() => void)[] = [];
  /** Why we do not meet them although nothing else stands against it. */
  #failure: NearbyStatus | null = null;

  constructor(deps: NearbyDeps) {
    this.store = this.#store;
    this.#deps = deps;
    this.#again = new Countdown(deps.clock);
  }

  /** Begins to follow the option and the room: once it is decided whether the page joins a room of its own accord. */
  start(): void {
    if (this.#stopListening.length > 0) return;
    const { room, settings, environment } = this.#deps;
    this.#stopListening = [
      room.store.subscribe(() => this.#follow()),
      settings.store.subscribe((now, before) => {
        if (now.nearby !== before.nearby) this.retry();
      }),
      // The machine may be on another network by now.
      environment.on("wake", () => {
        if (this.#failure !== "elsewhere") this.retry();
      }),
      room.on("nearby-ended", ({ code }) => this.#failed(code)),
    ];
    this.#follow();
  }

  /** Tries again at once, also to take over from another tab. */
  retry(): void {
    this.#failure = null;
    this.#follow();
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
    this.#again.stop();
  }

  #follow(): void {
    const { room, settings } = this.#deps;
    const { status } = room.store.getState();
    if (!settings.get().nearby) {
      this.#failure = null;
      this.#again.stop();
      this.#store.setState("off", true);
      room.leaveNearby();
    } else if (status === "nearby") this.#store.setState("on", true);
    else if (status !== "disconnected") this.#store.setState("away", true);
    else if (this.#failure !== null) this.#store.setState(this.#failure, true);
    else if (this.#store.getState() !== "joining") void this.#join();
  }

  async #join(): Promise<void> {
    this.#again.stop();
    this.#store.setState("joining", true);
    try {
      await this.#deps.room.joinNearby();
    } catch (thrown) {
      const { code } = toWarrenError(thrown);
      // Something else came first, and was followed then.
      if (code !== "connection-closed" && code !== "already-connected") this.#failed(code);
    }
  }

  #failed(code: ErrorCode): void {
    const { status, againMs } = failures[code] ?? otherFailure;
    this.#failure = status;
    if (againMs !== null) this.#again.start(againMs, () => this.retry());
    this.#follow();
  }
}
