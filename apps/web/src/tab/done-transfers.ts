import { type FileMessage, type MessageKey, type ReadableStore, untilState, type Warren } from "@warren/core";
import { v } from "@warren/protocol";
import { createStore } from "zustand/vanilla";
import { liveTransfersOf } from "../file-state/live-transfers.ts";
import { type TransferMarks, type TransferRows, transferRows } from "../file-state/transfer-rows.ts";
import { readJson } from "../platform/storage/read-json.ts";

const keysSchema = v.array(v.custom<MessageKey>((key) => typeof key === "string"));
/** The latest of them survive a reload. */
const storedMax = 100;

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
    const live = liveTransfersOf(room.store.getState(), transfers.store.getState());
    return transferRows(chat.store.getState(), live, this.#marks.getState());
  }

  clear(done: readonly FileMessage[]): void {
    this.#marks.setState(({ cleared }) => ({
      cleared: new Set([...cleared, ...done.map(({ key }) => key)]),
    }));
  }

  stored(): string | null {
    const keys = this.rows()
      .done.slice(0, storedMax)
      .map(({ key }) => key);
    return keys.length > 0 ? JSON.stringify(keys) : null;
  }

  restore(stored: string | null): void {
    const keys = readJson(stored, keysSchema) ?? [];
    if (keys.length === 0) return;
    this.#marks.setState({ earlier: new Set(keys) });
    const { chat } = this.#warren;
    // Without their messages they are not listed.
    untilState(chat.store, ({ loaded }) => loaded)
      .then(() => chat.loadFiles(keys))
      .catch(() => {});
  }
}
