import type { KeyValueStorage, ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

const lockName = "warren-room";
/** Where the tab in a room records which one, for the others. */
const roomKey = "room_open";
const lookPeriodMs = 1_000;

/** Another tab of this browser in a room. `unseen`: there is none, or the browser cannot tell. */
export type OtherTab =
  | { readonly status: "unseen" }
  | { readonly status: "there"; readonly roomId: string | null }
  | { readonly status: "gone" };

/** The dependencies of {@link RoomPlace}. */
export interface RoomPlaceParts {
  /** Missing outside secure contexts. */
  readonly locks: LockManager | undefined;
  /** Shared by all tabs. */
  readonly storage: KeyValueStorage;
  /** The room this tab is in or joins. */
  readonly roomId: () => string;
}

/** The lock by which at most one tab of a browser is in a room, and who holds it. */
export class RoomPlace {
  readonly other: ReadableStore<OtherTab>;
  readonly #other = createStore<OtherTab>(() => ({ status: "unseen" }));
  readonly #parts: RoomPlaceParts;
  /**
   * Identifies the request by which this tab holds the place; a released place is ours until the browser has
   * freed it.
   */
  #ours: symbol | null = null;
  #takesOver = false;

  constructor(parts: RoomPlaceParts) {
    this.#parts = parts;
    this.other = this.#other;
  }

  /** The user wants the room in this tab: the next {@link take} disconnects a tab that the user was shown. */
  insist(): void {
    this.#takesOver = this.#other.getState().status === "there";
  }

  /**
   * Takes the place.
   * @param steal also if another tab holds it.
   * @returns a function that releases it, or null if another tab holds it.
   */
  async take(steal: boolean): Promise<(() => void) | null> {
    const { locks, storage, roomId } = this.#parts;
    if (locks === undefined) return () => {};
    const options = steal || this.#takesOver ? { steal: true } : { ifAvailable: true };
    this.#takesOver = false;
    const release = await this.#request(locks, options);
    if (release === null) await this.look();
    else storage.write(roomKey, roomId());
    return release;
  }

  /** Checks whether another tab is in a room. */
  async look(): Promise<void> {
    // Browsers supported locks before they supported querying them.
    const locks: Partial<LockManager> | undefined = this.#parts.locks;
    const wasOurs = this.#ours !== null;
    const { held } = (await locks?.query?.().catch(() => undefined)) ?? {};
    const isThere = !wasOurs && this.#ours === null && held?.some(({ name }) => name === lockName);
    const before = this.#other.getState();
    if (isThere) {
      const roomId = this.#parts.storage.read(roomKey);
      if (before.status !== "there" || before.roomId !== roomId)
        this.#other.setState({ status: "there", roomId }, true);
    } else if (before.status === "there") this.#other.setState({ status: "gone" }, true);
  }

  /** Keeps `other` up to date while the page is visible. @returns a function that stops it. */
  watch(): () => void {
    const look = (): void => {
      if (document.visibilityState === "visible") void this.look();
    };
    look();
    const timer = setInterval(look, lookPeriodMs); // no event reports it
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }

  #request(locks: LockManager, options: LockOptions): Promise<(() => void) | null> {
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
          end();
          resolve(() => {});
          return this.look();
        });
    });
  }
}
