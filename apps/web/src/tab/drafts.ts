import {
  type ChatState,
  type ConversationId,
  everyone,
  type MessageKey,
  type ReadableStore,
  type VisitedRoom,
  without,
} from "@warren/core";
import { limits, type RoomTag, utf8Length, v } from "@warren/protocol";
import { createStore } from "zustand/vanilla";
import type { ReadableFolder } from "../platform/files/folder-on-disk.ts";
import type { IncomingItems } from "../platform/files/incoming-items.ts";
import { readJson } from "../platform/storage/read-json.ts";

/** A file or folder attached to the draft. */
export type Attachment = { readonly key: number } & (
  | { readonly kind: "file"; readonly file: File }
  | { readonly kind: "folder"; readonly folder: ReadableFolder }
);

/** The draft of a conversation. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The message that it answers or replaces. */
  readonly about?: DraftSubject | undefined;
}

/** A message that a draft answers, or one of ours that it replaces; `before` is the text that waits meanwhile. */
export type DraftSubject =
  | { readonly kind: "reply"; readonly key: MessageKey }
  | { readonly kind: "edit"; readonly key: MessageKey; readonly before: string };

export const emptyDraft: Draft = { text: "", attachments: [], about: undefined };

/** Whether a draft has neither text nor attachments. */
export function isEmptyDraft({ text, attachments }: Draft): boolean {
  return text === "" && attachments.length === 0;
}

/** Whether a text is longer than a message can be. */
export function isTooLong(text: string): boolean {
  // A code unit takes at most three bytes, so only texts near the limit are counted exactly.
  return text.length * 3 > limits.textBytes && utf8Length(text) > limits.textBytes;
}

/** The texts of drafts, each with its conversation; that to everyone has the tag of its room. */
const textsSchema = v.array(v.strictTuple([v.string(), v.string()]));

type RoomOfChat = ReadableStore<Pick<ChatState, "room">>;
type RoomsOfChat = ReadableStore<readonly Pick<VisitedRoom, "tag">[]>;

/**
 * The drafts by conversation. That to everyone stays with its room: in another room that room's own draft is there instead. It
 * goes with a room that is forgotten.
 */
export class Drafts {
  /** Empty ones are missing. */
  readonly #store = createStore<ReadonlyMap<ConversationId, Draft>>(() => new Map());
  /** The drafts being sent, in no composer: their attachments would be lost with the page. */
  readonly #sending = new Set<{ readonly draft: Draft; conversation: ConversationId }>();
  readonly #chat: RoomOfChat;
  #lastKey = 0;

  constructor(chat: RoomOfChat, rooms: RoomsOfChat) {
    this.#chat = chat;
    chat.subscribe(({ room }, before) => {
      if (room !== before.room) this.#changeRoom(before.room, room);
    });
    rooms.subscribe((now, before) => {
      const gone = before.filter(({ tag }) => !now.some((room) => room.tag === tag));
      for (const { tag } of gone) this.change(this.inRoom(tag, everyone), emptyDraft);
    });
  }

  get store(): ReadableStore<ReadonlyMap<ConversationId, Draft>> {
    return this.#store;
  }

  of(conversation: ConversationId): Draft {
    return this.#store.getState().get(conversation) ?? emptyDraft;
  }

  /** Where the draft of a conversation in a room is by now: that of everyone there stays with the room. */
  inRoom(room: RoomTag, conversation: ConversationId): ConversationId {
    return conversation === everyone && this.#chat.getState().room !== room ? room : conversation;
  }

  /** Changes the draft of a conversation; removes an empty one that is about no message. */
  change(conversation: ConversationId, change: Partial<Draft>): void {
    const draft = { ...this.of(conversation), ...change };
    const others = without(this.#store.getState(), conversation);
    const isNothing = isEmptyDraft(draft) && draft.about === undefined;
    this.#store.setState(isNothing ? others : new Map(others).set(conversation, draft), true);
  }

  /**
   * Sends a draft. The composer is emptied at once for the next one; what `send` returns unsent is put back before whatever was
   * written or attached meanwhile, in the room that it was written in.
   */
  async send(conversation: ConversationId, send: (draft: Draft) => Promise<Draft>): Promise<void> {
    const draft = this.of(conversation);
    let unsent = draft;
    const sent = { draft, conversation };
    this.#sending.add(sent);
    this.change(conversation, emptyDraft);
    try {
      unsent = await send(draft);
    } finally {
      this.#sending.delete(sent);
      const { text, attachments, about = unsent.about } = this.of(sent.conversation);
      this.change(sent.conversation, {
        about,
        text: [unsent.text, text].filter((part) => part !== "").join("\n"),
        attachments: [...unsent.attachments, ...attachments],
      });
    }
  }

  /** The draft answers a message from now on. */
  replyTo(conversation: ConversationId, key: MessageKey): void {
    this.leaveSubject(conversation);
    this.change(conversation, { about: { kind: "reply", key } });
  }

  /** The draft replaces one of our texts from now on; what it was is back once that is over. */
  edit(conversation: ConversationId, key: MessageKey, text: string): void {
    this.leaveSubject(conversation);
    this.change(conversation, { text, about: { kind: "edit", key, before: this.of(conversation).text } });
  }

  /** The draft is about no message any more. */
  leaveSubject(conversation: ConversationId): void {
    const { text, about } = this.of(conversation);
    this.change(conversation, { text: about?.kind === "edit" ? about.before : text, about: undefined });
  }

  /** Attaches files and folders to the draft of a conversation. */
  attach(conversation: ConversationId, { files, folders }: IncomingItems): void {
    const added: readonly Attachment[] = [
      ...folders.map((folder) => ({ key: ++this.#lastKey, kind: "folder" as const, folder })),
      ...files.map((file) => ({ key: ++this.#lastKey, kind: "file" as const, file })),
    ];
    this.change(conversation, { attachments: [...this.of(conversation).attachments, ...added] });
  }

  /** Adds a text to the draft of a conversation, on a line of its own. */
  appendText(conversation: ConversationId, text: string): void {
    const before = this.of(conversation).text;
    const seam = before === "" || before.endsWith("\n") ? "" : "\n";
    this.change(conversation, { text: before + seam + text });
  }

  hasAny(): boolean {
    return this.#store.getState().size > 0;
  }

  /** Whether any draft, even one being sent, has attachments, which are lost when the page closes. */
  hasAttachments(): boolean {
    const sending = [...this.#sending].map(({ draft }) => draft);
    return [...sending, ...this.#store.getState().values()].some(({ attachments }) => attachments.length > 0);
  }

  /** The texts; attachments are lost with the page. */
  stored(): string | null {
    const texts = [...this.#store.getState()]
      .map(([id, { text, about }]) => {
        const unsent = about?.kind === "edit" ? about.before : text;
        return [id === everyone ? this.#chat.getState().room : id, unsent] as const;
      })
      .filter(([, text]) => text !== "");
    return texts.length > 0 ? JSON.stringify(texts) : null;
  }

  restore(stored: string | null): void {
    const { room } = this.#chat.getState();
    for (const [conversation, text] of readJson(stored, textsSchema) ?? [])
      this.change(conversation === room ? everyone : conversation, { text });
  }

  #changeRoom(left: RoomTag, entered: RoomTag): void {
    const [before, after] = [this.of(everyone), this.of(entered)];
    this.change(left, before);
    this.change(entered, emptyDraft);
    this.change(everyone, after);
    for (const sent of this.#sending) {
      if (sent.conversation === everyone) sent.conversation = left;
      else if (sent.conversation === entered) sent.conversation = everyone;
    }
  }
}
