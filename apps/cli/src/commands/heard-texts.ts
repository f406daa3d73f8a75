import { everyone, type MessageKey, messageNameOf, type TextMessage } from "@warren/core";
import type { Session } from "./session.ts";

/** How many texts of earlier visits a room shows first. */
const recalled = 20;

/** Reports the texts that others write, once each: those of earlier visits, or of times before this one, only in a room. */
export class HeardTexts {
  readonly #session: Session;
  readonly #tells: "everything" | "what is new";
  readonly #startedAt = Date.now();
  readonly #heard: Set<MessageKey>;

  constructor(session: Session, tells: "everything" | "what is new") {
    this.#session = session;
    this.#tells = tells;
    this.#heard = new Set(this.#texts().map(({ key }) => key));
  }

  /** Shows how the conversation of the room ended. */
  recall(): void {
    const { conversations } = this.#session.warren.chat.store.getState();
    const ofRoom = (conversations[everyone]?.messages ?? []).filter(
      (message) => message.type === "text" && this.#heard.has(message.key),
    );
    for (const message of ofRoom.slice(-recalled)) if (message.type === "text") this.#tell(message);
  }

  /** Reports what has arrived. */
  report(): void {
    const ownId = this.#session.warren.profile.get().clientId;
    for (const message of this.#texts()) {
      if (this.#heard.has(message.key)) continue;
      this.#heard.add(message.key);
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

  #tell({ client, data, createdAt, quote }: TextMessage): void {
    const { report, warren } = this.#session;
    const isOurs = client === warren.profile.get().clientId;
    report.event({
      event: "text",
      from: isOurs ? warren.profile.get().name : this.#session.nameOf(client),
      text: data,
      writtenAt: createdAt,
      answers: quote === undefined ? null : this.#quoted(quote),
    });
  }

  /** What is answered, as far as it is here. */
  #quoted(key: MessageKey): { readonly from: string; readonly text: string | null } {
    const message = this.#texts().find((one) => one.key === key);
    return { from: this.#session.nameOf(messageNameOf(key).client), text: message?.data ?? null };
  }
}
