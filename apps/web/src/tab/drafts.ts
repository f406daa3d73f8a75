import {
  type ChatState,
  type ConversationId,
  everyone,
  type KeptRoom,
  type KeyValueStorage,
  type MessageKey,
  type ReadableStore,
  without,
} from "@warren/core";
import { limits, type RoomTag, utf8Length } from "@warren/protocol";
import { createStore } from "zustand/vanilla";
import type { ReadableFolder } from "../platform/files/folder-on-disk.ts";
import type { IncomingItems } from "../platform/files/incoming-items.ts";

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

const storageKey = "drafts";
export const emptyDraft: Draft = { text: "", attachments: [], about: undefined };
const drafts = createStore<ReadonlyMap<ConversationId, Draft>>(() => new Map());
/** The drafts being sent, in no composer: their attachments would be lost with the page. */
const sending = new Set<{ readonly draft: Draft; conversation: ConversationId }>();
let recalledFrom: KeyValueStorage | null = null;
let lastKey = 0;

/** The drafts by conversation; empty ones are missing. */
export const draftStore: ReadableStore<ReadonlyMap<ConversationId, Draft>> = drafts;

export function draftOf(conversation: ConversationId): Draft {
  return drafts.getState().get(conversation) ?? emptyDraft;
}

/** Where the draft of a conversation in a room is by now: that of everyone there stays with the room. */
export function draftIn(room: RoomTag, conversation: ConversationId, chat: RoomOfChat): ConversationId {
  return conversation === everyone && chat.getState().room !== room ? room : conversation;
}

/** Whether a draft has neither text nor attachments. */
export function isEmptyDraft({ text, attachments }: Draft): boolean {
  return text === "" && attachments.length === 0;
}

/** Changes the draft of a conversation; removes an empty one that is about no message. */
export function changeDraft(conversation: ConversationId, change: Partial<Draft>): void {
  const draft = { ...draftOf(conversation), ...change };
  const others = without(drafts.getState(), conversation);
  const isNothing = isEmptyDraft(draft) && draft.about === undefined;
  drafts.setState(isNothing ? others : new Map(others).set(conversation, draft), true);
}

/**
 * Sends a draft. The composer is emptied at once for the next one; what `send` returns unsent is put back before whatever was
 * written or attached meanwhile, in the room that it was written in.
 */
export async function sendDraft(
  conversation: ConversationId,
  send: (draft: Draft) => Promise<Draft>,
): Promise<void> {
  const draft = draftOf(conversation);
  let unsent = draft;
  const sent = { draft, conversation };
  sending.add(sent);
  changeDraft(conversation, emptyDraft);
  try {
    unsent = await send(draft);
  } finally {
    sending.delete(sent);
    const { text, attachments, about = unsent.about } = draftOf(sent.conversation);
    changeDraft(sent.conversation, {
      about,
      text: [unsent.text, text].filter((part) => part !== "").join("\n"),
      attachments: [...unsent.attachments, ...attachments],
    });
  }
}

/** The draft answers a message from now on. */
export function replyTo(conversation: ConversationId, key: MessageKey): void {
  leaveSubject(conversation);
  changeDraft(conversation, { about: { kind: "reply", key } });
}

/** The draft replaces one of our texts from now on; what it was is back once that is over. */
export function editText(conversation: ConversationId, key: MessageKey, text: string): void {
  leaveSubject(conversation);
  changeDraft(conversation, { text, about: { kind: "edit", key, before: draftOf(conversation).text } });
}

/** The draft is about no message any more. */
export function leaveSubject(conversation: ConversationId): void {
  const { text, about } = draftOf(conversation);
  changeDraft(conversation, { text: about?.kind === "edit" ? about.before : text, about: undefined });
}

/** Attaches files and folders to the draft of a conversation. */
export function attach(conversation: ConversationId, { files, folders }: IncomingItems): void {
  const added: readonly Attachment[] = [
    ...folders.map((folder) => ({ key: ++lastKey, kind: "folder" as const, folder })),
    ...files.map((file) => ({ key: ++lastKey, kind: "file" as const, file })),
  ];
  changeDraft(conversation, { attachments: [...draftOf(conversation).attachments, ...added] });
}

/** Adds a text to the draft of a conversation, on a line of its own. */
export function appendText(conversation: ConversationId, text: string): void {
  const before = draftOf(conversation).text;
  const seam = before === "" || before.endsWith("\n") ? "" : "\n";
  changeDraft(conversation, { text: before + seam + text });
}

/** Whether a text is longer than a message can be. */
export function isTooLong(text: string): boolean {
  // A code unit takes at most three bytes, so only texts near the limit are counted exactly.
  return text.length * 3 > limits.textBytes && utf8Length(text) > limits.textBytes;
}

/** Whether any draft exists. */
export function hasDrafts(): boolean {
  return drafts.getState().size > 0;
}

/** Whether any draft, even one being sent, has attachments, which are lost when the page closes. */
export function hasAttachments(all = drafts.getState()): boolean {
  return [...[...sending].map(({ draft }) => draft), ...all.values()].some(
    ({ attachments }) => attachments.length > 0,
  );
}

type RoomOfChat = ReadableStore<Pick<ChatState, "room">>;

/**
 * Keeps the draft to everyone with its room: in another room that room's own draft is there instead. It goes with a room that
 * is forgotten.
 */
export function keepDraftsByRoom(
  chat: RoomOfChat,
  rooms: ReadableStore<readonly Pick<KeptRoom, "tag">[]>,
): () => void {
  const stopFollowing = chat.subscribe(({ room }, before) => {
    if (room === before.room) return;
    const [left, entered] = [draftOf(everyone), draftOf(room)];
    changeDraft(before.room, left);
    changeDraft(room, emptyDraft);
    changeDraft(everyone, entered);
    for (const sent of sending) {
      if (sent.conversation === everyone) sent.conversation = before.room;
      else if (sent.conversation === room) sent.conversation = everyone;
    }
  });
  const stopForgetting = rooms.subscribe((now, before) => {
    const gone = before.filter(({ tag }) => !now.some((room) => room.tag === tag));
    for (const { tag } of gone) changeDraft(draftIn(tag, everyone, chat), emptyDraft);
  });
  return () => {
    stopFollowing();
    stopForgetting();
  };
}

/**
 * Restores, once, the draft texts from when this tab's page last closed, and saves them on every later close.
 */
export function recallDrafts(tabStorage: KeyValueStorage, chat: RoomOfChat): void {
  if (recalledFrom === tabStorage) return;
  recalledFrom = tabStorage;
  const { room } = chat.getState();
  for (const [conversation, text] of storedTexts(tabStorage))
    changeDraft(conversation === room ? everyone : conversation, { text });
  addEventListener("pagehide", () => {
    const texts = [...drafts.getState()]
      .map(([id, { text, about }]) => {
        const kept = about?.kind === "edit" ? about.before : text;
        return [id === everyone ? chat.getState().room : id, kept] as const;
      })
      .filter(([, text]) => text !== "");
    if (texts.length > 0) tabStorage.write(storageKey, JSON.stringify(texts));
    else tabStorage.remove(storageKey);
  });
}

function storedTexts(tabStorage: KeyValueStorage): [string, string][] {
  try {
    const stored: unknown = JSON.parse(tabStorage.read(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isText) : [];
  } catch {
    return [];
  }
}

function isText(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === "string");
}
