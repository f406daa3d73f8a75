import type { KeyValueStorage, Warren } from "@warren/core";
import { Busy } from "./busy.ts";
import { DoneTransfers } from "./done-transfers.ts";
import { Drafts } from "./drafts.ts";
import { OpenLog } from "./open-log.ts";
import { PendingSaves } from "./pending-saves.ts";
import { PictureInPictureWindow } from "./picture-in-picture-window.ts";
import { PictureShapes } from "./picture-shapes.ts";
import { Presence } from "./presence.ts";
import { RecentEntries } from "./recent-entries.ts";
import { ShareTray } from "./share-tray.ts";
import { ShownRow } from "./shown-row.ts";
import { Thumbnails } from "./thumbnails.ts";
import { TreeEntries } from "./tree-entries.ts";

/** A part of the tab that outlives a reload: what it stores when the page ends, and takes back when the next begins. */
interface Restorable {
  stored(): string | null;
  restore(stored: string | null): void;
}

interface TabDeps {
  readonly warren: Pick<Warren, "chat" | "room" | "transfers" | "files">;
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
  readonly recentEntries: RecentEntries;
  readonly shownRow = new ShownRow();
  readonly openLog = new OpenLog();
  readonly pictureShapes = new PictureShapes();
  readonly thumbnails = new Thumbnails();
  readonly treeEntries: TreeEntries;
  readonly pictureInPicture = new PictureInPictureWindow();
  /** The last address of the chat page. */
  lastChatPath: string | null = null;
  readonly #restorable: Readonly<Record<string, Restorable>>;

  constructor({ warren, tabStorage, now = Date.now }: TabDeps) {
    this.storage = tabStorage;
    this.drafts = new Drafts(warren.chat.store, warren.chat.rooms);
    this.doneTransfers = new DoneTransfers(warren);
    this.pendingSaves = new PendingSaves(() => this.#store("save_when_here"));
    this.treeEntries = new TreeEntries(warren.files);
    this.presence = new Presence(warren.room.store, warren.chat.store, now);
    this.recentEntries = new RecentEntries(warren.chat);
    this.#restorable = {
      drafts: this.drafts,
      transfers_done: this.doneTransfers,
      save_when_here: this.pendingSaves,
      palette_recent: this.recentEntries,
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
