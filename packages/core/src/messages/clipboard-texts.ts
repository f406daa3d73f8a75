import type { ClientId } from "@warren/protocol";
import type { MessageKey, TextMessage } from "./message.ts";
import type { MessageLog } from "./message-log.ts";

/** So many clipboard texts of one client are kept. */
const keptMax = 50;

/** The clipboard texts of each client, of which only the latest are kept: no person asked for them. */
export class ClipboardTexts {
  readonly #messages: MessageLog;
  /** By client, the earliest first; some may have been deleted since. */
  readonly #keys = new Map<ClientId, Promise<MessageKey[]>>();

  constructor(messages: MessageLog) {
    this.#messages = messages;
  }

  /** A text is stored: deletes the earliest ones of its sender beyond the limit. @throws WarrenError `storage-failed`. */
  async added({ client, key }: TextMessage): Promise<void> {
    const keys = await this.#keysOf(client);
    if (!keys.includes(key)) keys.push(key);
    for (const earliest of keys.splice(0, keys.length - keptMax)) await this.#messages.discard(earliest);
  }

  async #keysOf(client: ClientId): Promise<MessageKey[]> {
    const loading = this.#keys.get(client) ?? this.#messages.clipboardTextsOf(client);
    this.#keys.set(client, loading);
    try {
      return await loading;
    } catch (error) {
      this.#keys.delete(client);
      throw error;
    }
  }
}
