import { type ChatMessage, everyone, type MessageKey, messageNameOf, type TextMessage } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import type { Quoted } from "../terminal/events.ts";
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
 * Reports the texts that others write, once each and again when they are edited. In a room it also reports those of
 * earlier visits or of times before this one, the numbers of our own, what others react with, and what they delete.
 */
export class HeardTexts {
  readonly #session: Heard;
  readonly #tells: "everything" | "what is new";
  readonly #startedAt = Date.now();
  /** When each that was there or was reported had last been edited. */
  readonly #heard: Map<MessageKey, number>;
  /** Since when each reaction is as it was there or was reported. */
  readonly #reactedAt = new Map<string, number>();
  /** The texts that were shown in a room, in the order of their numbers. */
  readonly #shown: MessageKey[] = [];
  readonly #deleted = new Set<MessageKey>();

  constructor(session: Heard, tells: "everything" | "what is new") {
    this.#session = session;
    this.#tells = tells;
    this.#heard = new Map(this.#texts().map(({ key, edited = 0 }) => [key, edited]));
    for (const message of this.#messages()) this.#newReactions(message);
  }

  /** The text with this number. */
  keyOf(number: number): MessageKey | null {
    return this.#shown[number - 1] ?? null;
  }

  /** Shows how the conversation of the room ended. */
  recall(): void {
    const { conversations } = this.#session.warren.chat.store.getState();
    const ofRoom = (conversations[everyone]?.messages ?? []).filter(
      (message) => message.type === "text" && !message.deleted && this.#heard.has(message.key),
    );
    for (const message of ofRoom.slice(-recalled)) {
      if (message.type !== "text") continue;
      this.#tell(message);
      for (const [by, { emoji }] of Object.entries(message.reactions ?? {}))
        if (emoji.length > 0) this.#tellReaction(message, by, emoji);
    }
  }

  /** Reports what has arrived. */
  report(): void {
    const ownId = this.#session.warren.profile.get().clientId;
    const tellsAll = this.#tells === "everything";
    for (const message of this.#messages()) {
      if (message.type === "text") this.#reportText(message, ownId);
      if (!tellsAll) continue;
      for (const [by, emoji] of this.#newReactions(message))
        if (by !== ownId) this.#tellReaction(message, by, emoji);
    }
  }

  #reportText(message: TextMessage, ownId: ClientId): void {
    const { key, client, edited = 0, deleted } = message;
    if (deleted) {
      const isNews = this.#shown.includes(key) && !this.#deleted.has(key);
      this.#deleted.add(key);
      if (isNews && client !== ownId)
        this.#session.report.event({
          event: "deleted",
          from: this.#nameOf(client),
          number: this.#numberOf(key),
        });
      return;
    }
    if (this.#heard.get(key) === edited) return;
    this.#heard.set(key, edited);
    // The log of the room brings what was said while we were away.
    const isNew = message.entry === undefined || message.createdAt >= this.#startedAt;
    if (client !== ownId && (isNew || this.#tells === "everything")) this.#tell(message);
    if (client === ownId && this.#tells === "everything" && !this.#shown.includes(key)) {
      this.#shown.push(key);
      this.#session.report.event({ event: "said", number: this.#shown.length, text: message.data });
    }
  }

  /** Whose reactions to a message have changed since this was asked last, and into what. */
  #newReactions({ key, reactions = {} }: ChatMessage): (readonly [ClientId, readonly string[]])[] {
    return Object.entries(reactions).flatMap(([by, { emoji, at }]) => {
      const mark = `${key} ${by}`;
      const before = this.#reactedAt.get(mark);
      this.#reactedAt.set(mark, at);
      const isNews = before !== at && (before !== undefined || emoji.length > 0);
      return isNews ? [[by, emoji] as const] : [];
    });
  }

  #messages(): ChatMessage[] {
    const { conversations } = this.#session.warren.chat.store.getState();
    return Object.values(conversations).flatMap((conversation) => conversation?.messages ?? []);
  }

  #texts(): TextMessage[] {
    return this.#messages().filter((message) => message.type === "text");
  }

  #tell({ key, client, data, createdAt, edited, quote }: TextMessage): void {
    if (this.#tells === "everything" && !this.#shown.includes(key)) this.#shown.push(key);
    this.#session.report.event({
      event: "text",
      number: this.#numberOf(key),
      from: this.#nameOf(client),
      text: data,
      writtenAt: createdAt,
      edited: edited !== undefined,
      answers: quote === undefined ? null : this.#quoted(quote),
    });
  }

  #tellReaction({ key }: ChatMessage, by: ClientId, emoji: readonly string[]): void {
    const from = this.#nameOf(by);
    const number = this.#numberOf(key);
    this.#session.report.event({ event: "reaction", from, emoji, number, to: this.#quoted(key) });
  }

  #numberOf(key: MessageKey): number | null {
    const at = this.#shown.indexOf(key);
    return at < 0 ? null : at + 1;
  }

  /** A message in words, as far as it is here. */
  #quoted(key: MessageKey): Quoted {
    const message = this.#messages().find((one) => one.key === key);
    const isDeleted = message?.type === "text" && message.deleted === true;
    const file = message?.type === "file" ? message.file.fileName : null;
    const words = message?.type === "text" ? message.data : file;
    return { from: this.#nameOf(messageNameOf(key).client), text: isDeleted ? null : words };
  }

  #nameOf(client: ClientId): string {
    const own = this.#session.warren.profile.get();
    return client === own.clientId ? own.name : this.#session.nameOf(client);
  }
}
