import { everyone, type MessageKey, messageNameOf, type TextMessage } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import type { Session } from "./session.ts";

/** How many texts of earlier visits a room shows first. */
const recalled = 20;

/** What is read of a session. */
type Heard = Pick<Session, "nameOf"> & {
  readonly report: Pick<Session["report"], "event">;
  readonly warren: {
    readonly chat: { readonly store: Pick<Session["warren"]["chat"]["store"], "getState"> };
    readonly profile: Pick<Session["warren"]["profile"], "get">;
  };
};

/**
 * Reports the texts that others write, once each and again when they are edited: those of earlier visits, or of times
 * before this one, only in a room.
 */
export class HeardTexts {
  readonly #session: Heard;
  readonly #tells: "everything" | "what is new";
  readonly #startedAt = Date.now();
  /** When each that was there or was reported had last been edited. */
  readonly #heard: Map<MessageKey, number>;

  constructor(session: Heard, tells: "everything" | "what is new") {
    this.#session = session;
    this.#tells = tells;
    this.#heard = new Map(this.#texts().map(({ key, edited = 0 }) => [key, edited]));
  }

  /** Shows how the conversation of the room ended. */
  recall(): void {
    const { conversations } = this.#session.warren.chat.store.getState();
    const ofRoom = (conversations[everyone]?.messages ?? []).filter(
      (message) => message.type === "text" && !message.deleted && this.#heard.has(message.key),
    );
    for (const message of ofRoom.slice(-recalled)) if (message.type === "text") this.#tell(message);
  }

  /** Reports what has arrived. */
  report(): void {
    const ownId = this.#session.warren.profile.get().clientId;
    for (const message of this.#texts()) {
      const { key, edited = 0, deleted } = message;
      if (this.#heard.get(key) === edited || deleted) continue;
      this.#heard.set(key, edited);
      // The log of the room brings what was said while we were away.
      const isNew = message.entry === undefined || message.createdAt >= this.#startedAt;
      if (message.client !== ownId && (isNew || this.#tells === "everything")) this.#tell(message);
    }
  }

  #texts(): TextMessage[] {
    const { conversations } = this.#session.warren.chat.store.getState();
    return Object.values(conversations).flatMap((conversation) =>
      (conversation?.messages ?? []).filter((message) => message.type === "text"),
    );
  }

  #tell({ client, data, createdAt, edited, quote }: TextMessage): void {
    this.#session.report.event({
      event: "text",
      from: this.#nameOf(client),
      text: data,
      writtenAt: createdAt,
      edited: edited !== undefined,
      answers: quote === undefined ? null : this.#quoted(quote),
    });
  }

  /** What is answered, as far as it is here. */
  #quoted(key: MessageKey): { readonly from: string; readonly text: string | null } {
    const message = this.#texts().find((one) => one.key === key);
    return { from: this.#nameOf(messageNameOf(key).client), text: message?.data ?? null };
  }

  #nameOf(client: ClientId): string {
    const own = this.#session.warren.profile.get();
    return client === own.clientId ? own.name : this.#session.nameOf(client);
  }
}
