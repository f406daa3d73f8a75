import type { KeyValueStorage, ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

const lockName = "warren-room";
/** Where the tab in a room records which one, for the others. */
const roomKey = "room_open";
const checkPeriodMs = 1_000;

/** What is recorded of a tab that is in no room, but meets people nearby. */
const nearby = "";

/** Another tab of this browser in a room, or among people nearby. `unseen`: there is none, or the browser cannot tell. */
export type OtherTab =
  | { readonly status: "unseen" }
  | { readonly status: "there"; readonly roomId: string | null }
  | { readonly status: "nearby" }
  | { readonly status: "gone" };

/** How the lock is asked for. */
export interface LockRequest {
  /** Also if another tab holds it. One that only meets people nearby gives way to every room. */
  readonly steal?: boolean;
  /** For people nearby, not for a room. */
  readonly isNearby?: boolean;
  /** Another tab has taken it. */
  readonly onTaken?: () => void;
}

/** The dependencies of {@link RoomLock}. */
export interface RoomLockDeps {
  /** Missing outside secure contexts. */
  readonly locks: LockManager | undefined;
  /** Shared by all tabs. */
  readonly storage: KeyValueStorage;
  /** The room this tab is in or joins. */
  readonly roomId: () => string;
}

/** The lock by which at most one tab of a browser meets others, and who holds it. */
export class RoomLock {
  readonly other: ReadableStore<OtherTab>;
  readonly #other = createStore<OtherTab>(() => ({ status: "unseen" }));
  readonly #deps: RoomLockDeps;
  /**
   * Identifies the request by which this tab holds the lock; a released lock is ours until the browser has
   * freed it.
   */
  #ours: symbol | null = null;
  #takesOver = false;

  constructor(deps: RoomLockDeps) {
    this.#deps = deps;
    this.other = this.#other;
  }

  /** The user wants to meet others in this tab: the next {@link take} disconnects a tab that the user was shown. */
  takeOver(): void {
    const { status } = this.#other.getState();
    this.#takesOver = status === "there" || status === "nearby";
  }

  /**
   * Takes the lock.
   * @returns a function that releases it, or null if another tab holds it.
   */
  async take({ steal = false, isNearby = false, onTaken }: LockRequest): Promise<(() => void) | null> {
    const { locks, storage, roomId } = this.#deps;
    if (locks === undefined) return () => {};
    // A lock that this tab has just released would pass for another tab's until the browser has freed it.
    const options = steal || this.#takesOver || this.#ours !== null ? { steal: true } : { ifAvailable: true };
    this.#takesOver = false;
    let release = await this.#request(locks, options, onTaken);
    if (release === null && !isNearby && storage.read(roomKey) === nearby)
      release = await this.#request(locks, { steal: true }, onTaken);
    if (release === null) await this.check();
    else storage.write(roomKey, isNearby ? nearby : roomId());
    return release;
  }

  /** Checks whether another tab meets others. */
  async check(): Promise<void> {
    // Browsers supported locks before they supported querying them.
    const locks: Partial<LockManager> | undefined = this.#deps.locks;
    const wasOurs = this.#ours !== null;
    const { held } = (await locks?.query?.().catch(() => undefined)) ?? {};
    const isThere = !wasOurs && this.#ours === null && held?.some(({ name }) => name === lockName);
    const before = this.#other.getState();
    if (isThere) {
      const roomId = this.#deps.storage.read(roomKey);
      if (roomId === nearby) this.#other.setState({ status: "nearby" }, true);
      else if (before.status !== "there" || before.roomId !== roomId)
        this.#other.setState({ status: "there", roomId }, true);
    } else if (before.status === "there" || before.status === "nearby")
      this.#other.setState({ status: "gone" }, true);
  }

  /** Keeps `other` up to date while the page is visible. @returns a function that stops it. */
  watch(): () => void {
    const check = (): void => {
      if (document.visibilityState === "visible") void this.check();
    };
    check();
    const timer = setInterval(check, checkPeriodMs); // no event reports it
    document.addEventListener("visibilitychange", check);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }

  #request(
    locks: LockManager,
    options: LockOptions,
    onTaken: (() => void) | undefined,
  ): Promise<(() => void) | null> {
    const holder = Symbol();
    const end = (): void => {
      if (this.#ours === holder) this.#ours = null;
    };
    return new Promise((resolve) => {
      locks
        .request(lockName, options, (lock) => {
          if (lock === null) return resolve(null);
          this.#ours = holder;
          return new Promise<void>((release) => resolve(release));
        })
        .then(end, () => {
          // Another tab has taken it; or locks do not work here after all, and the server decides.
          if (this.#ours === holder) onTaken?.();
          end();
          resolve(() => {});
          return this.check();
        });
    });
  }
}
