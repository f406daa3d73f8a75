import type { Warren } from "@warren/core";
import { clientIdSchema, roomTagSchema, v } from "@warren/protocol";
import { readJson } from "../platform/storage/read-json.ts";

const idsSchema = v.array(v.string());
/** How many entries that were chosen before come first. */
const recentMax = 3;

/** The entries of the palette that were chosen last, by their ids: of rooms, of people and of commands. */
export class RecentEntries {
  readonly #chat: Pick<Warren["chat"], "rooms" | "store">;
  #ids: readonly string[] = [];

  constructor(chat: Pick<Warren["chat"], "rooms" | "store">) {
    this.#chat = chat;
  }

  /** The last one first. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  add(id: string): void {
    this.#ids = [id, ...this.#ids.filter((other) => other !== id)].slice(0, recentMax);
  }

  stored(): string | null {
    const kept = this.#ids.filter((id) => !this.#isForgotten(id));
    return kept.length > 0 ? JSON.stringify(kept) : null;
  }

  restore(stored: string | null): void {
    this.#ids = (readJson(stored, idsSchema) ?? []).slice(0, recentMax);
  }

  /** Nothing of a room or a person stays behind once they are deleted here. */
  #isForgotten(id: string): boolean {
    if (v.is(clientIdSchema, id)) return this.#chat.store.getState().contacts[id] === undefined;
    return v.is(roomTagSchema, id) && !this.#chat.rooms.getState().some(({ tag }) => tag === id);
  }
}
