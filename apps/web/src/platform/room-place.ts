import type { KeyValueStorage, ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

const lockName = "warren-room";
/** What the tab in a room notes for the others: which one that is. */
const roomKey = "room_open";
const lookPeriodMs = 1_000;

/** Another tab of this browser in a room. `unseen`: there is none, or the browser cannot tell. */
export type OtherTab =
  | { readonly status: "unseen" }
  | { readonly status: "there"; readonly roomId: string | null }
  | { readonly status: "gone" };

/** What {@link RoomPlace} stands on. */
export interface RoomPlaceParts {
  /** Missing outside secure contexts. */
  readonly locks: LockManager | undefined;
  /** Shared by all tabs. */
  readonly storage: KeyValueStorage;
  /** The room this tab is in or joins. */
  readonly roomId: () => string;
}

/** The one place in a room that the tabs of a browser share, and who has it. */
export class RoomPlace {
  readonly other: ReadableStore<OtherTab>;
  readonly #other = createStore<OtherTab>(() => ({ status: "unseen" }));
  readonly #parts: RoomPlaceParts;
  /** Names the request by which this tab has the place; given up, it is ours until the browser has freed it. */
  #ours: symbol | null = null;
  #takesOver = false;

  constructor(parts: RoomPlaceParts) {
    this.#parts = parts;
    this.other = this.#other;
  }

  /** The user wants the room here: the next {@link take} takes it from a tab that was shown to them. */
  insist(): void {
    this.#takesOver = this.#other.getState().status === "there";
  }

  /**
   * Takes the place.
   * @param steal also where another tab has it.
   * @returns what gives it up, or null while another tab has it.
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
    // Browsers had locks before they could be asked who has them.
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

  /** Checks repeatedly while the page is visible. @returns a function that stops it. */
  watch(): () => void {
    const look = (): void => {
      if (document.visibilityState === "visible") void this.look();
    };
    look();
    const timer = setInterval(look, lookPeriodMs); // there is no event for it
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
          // Another tab has taken it; or there are no locks here after all, and the server decides.
          end();
          resolve(() => {});
          return this.look();
        });
    });
  }
}
