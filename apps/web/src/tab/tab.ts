import type { KeyValueStorage, MessageKey, Warren } from "@warren/core";
import type { FileId } from "@warren/protocol";
import { createStore } from "zustand/vanilla";
import { Busy } from "./busy.ts";
import { DoneTransfers } from "./done-transfers.ts";
import { Drafts } from "./drafts.ts";
import { PendingSaves } from "./pending-saves.ts";
import { Presence } from "./presence.ts";
import { ShareTray } from "./share-tray.ts";
import { ShownRow } from "./shown-row.ts";

/** A part of the tab that outlives a reload: what it stores when the page ends, and takes back when the next begins. */
interface Restorable {
  stored(): string | null;
  restore(stored: string | null): void;
}

/** In px. */
export interface PictureShape {
  readonly width: number;
  readonly height: number;
}

interface PictureInPictureWindow {
  readonly own: Window;
  readonly itemId: string;
}

interface TabDeps {
  readonly warren: Pick<Warren, "chat" | "room" | "transfers">;
  /** Storage of this tab; survives reloads. */
  readonly tabStorage: KeyValueStorage;
  readonly now?: () => number;
}

/** What belongs to this tab alone, and ends with its page except for what {@link Tab.restore} takes back after a reload. */
export class Tab {
  /** Survives reloads. */
  readonly storage: KeyValueStorage;
  readonly busy = new Busy();
  readonly drafts: Drafts;
  readonly pendingSaves: PendingSaves;
  readonly doneTransfers: DoneTransfers;
  readonly shareTray = new ShareTray();
  readonly presence: Presence;
  readonly shownRow = new ShownRow();
  /** The message to scroll to as soon as its conversation is open; null once it is shown. */
  readonly soughtMessage = createStore<MessageKey | null>(() => null);
  /**
   * Where the newest message of the open log ends, in px below its top, while there is room for something that floats below
   * it; null if the log is full.
   */
  readonly logEndPx = createStore<number | null>(() => 0);
  /** The last address of the chat page. */
  lastChatPath: string | null = null;
  /** The sizes of the pictures seen, so that a reopened conversation does not shift. */
  readonly pictureShapes = createStore<ReadonlyMap<FileId, PictureShape>>(() => new Map());
  /** The open picture-in-picture window and the tile in it. */
  readonly pictureInPicture = createStore<PictureInPictureWindow | null>(() => null);
  readonly #restorable: Readonly<Record<string, Restorable>>;

  constructor({ warren, tabStorage, now = Date.now }: TabDeps) {
    this.storage = tabStorage;
    this.drafts = new Drafts(warren.chat.store, warren.chat.rooms);
    this.doneTransfers = new DoneTransfers(warren);
    this.pendingSaves = new PendingSaves(() => this.#store("save_when_here"));
    this.presence = new Presence(warren.room.store, now);
    this.#restorable = {
      drafts: this.drafts,
      transfers_done: this.doneTransfers,
      save_when_here: this.pendingSaves,
    };
  }

  /** Takes back what the page stored when it last ended, and stores it again whenever it ends. */
  restore(): void {
    for (const [key, part] of Object.entries(this.#restorable)) part.restore(this.storage.read(key));
    addEventListener("pagehide", () => {
      for (const key of Object.keys(this.#restorable)) this.#store(key);
    });
  }

  #store(key: string): void {
    const stored = this.#restorable[key]?.stored() ?? null;
    if (stored === null) this.storage.remove(key);
    else this.storage.write(key, stored);
  }
}
