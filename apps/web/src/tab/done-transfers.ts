import type { FileMessage, MessageKey, ReadableStore, Warren } from "@warren/core";
import { createStore } from "zustand/vanilla";
import { liveOf } from "../file-state/live.ts";
import { type TransferMarks, type TransferRows, transferRows } from "../file-state/transfer-rows.ts";

/** The latest of them survive a reload. */
const keptMax = 100;

/** Which completed transfers the tray lists: those of this tab, before a reload too, until the user clears them. */
export class DoneTransfers {
  readonly #marks = createStore<TransferMarks>(() => ({ cleared: new Set(), earlier: new Set() }));
  readonly #warren: Pick<Warren, "chat" | "room" | "transfers">;

  constructor(warren: Pick<Warren, "chat" | "room" | "transfers">) {
    this.#warren = warren;
  }

  get store(): ReadableStore<TransferMarks> {
    return this.#marks;
  }

  /** The transfers of this page, as the tray lists them. */
  rows(): TransferRows {
    const { chat, room, transfers } = this.#warren;
    const live = liveOf(room.store.getState(), transfers.store.getState());
    return transferRows(chat.store.getState(), live, this.#marks.getState());
  }

  clear(done: readonly FileMessage[]): void {
    this.#marks.setState(({ cleared }) => ({
      cleared: new Set([...cleared, ...done.map(({ key }) => key)]),
    }));
  }

  stored(): string | null {
    const keys = this.rows()
      .done.slice(0, keptMax)
      .map(({ key }) => key);
    return keys.length > 0 ? JSON.stringify(keys) : null;
  }

  restore(stored: string | null): void {
    const keys = keysOf(stored);
    if (keys.length === 0) return;
    this.#marks.setState({ earlier: new Set(keys) });
    const { chat } = this.#warren;
    // Without their messages they are not listed.
    const load = () => void chat.loadFiles(keys).catch(() => {});
    if (chat.store.getState().loaded) {
      load();
      return;
    }
    const stop = chat.store.subscribe(({ loaded }) => {
      if (!loaded) return;
      stop();
      load();
    });
  }
}

function keysOf(stored: string | null): readonly MessageKey[] {
  try {
    const keys: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(keys) ? keys.filter((key): key is MessageKey => typeof key === "string") : [];
  } catch {
    return [];
  }
}
