import type { ConversationId, KeyValueStorage } from "@warren/core";

const storageKey = "drafts";
const drafts = new Map<ConversationId, string>();
let recalledFrom: KeyValueStorage | null = null;

/** What was being written in a conversation and not sent. */
export function draftOf(conversation: ConversationId): string {
  return drafts.get(conversation) ?? "";
}

/** Keeps what is being written; an empty text is forgotten. */
export function keepDraft(conversation: ConversationId, text: string): void {
  if (text === "") drafts.delete(conversation);
  else drafts.set(conversation, text);
}

/** Whether anything is written and not sent. */
export function hasDrafts(): boolean {
  return drafts.size > 0;
}

/** Takes back, once, what was being written when this tab's page went, and from then on leaves it there for the next. */
export function recallDrafts(tabStorage: KeyValueStorage): void {
  if (recalledFrom === tabStorage) return;
  recalledFrom = tabStorage;
  for (const [conversation, text] of storedDrafts(tabStorage)) keepDraft(conversation, text);
  addEventListener("pagehide", () => {
    if (hasDrafts()) tabStorage.write(storageKey, JSON.stringify([...drafts]));
    else tabStorage.remove(storageKey);
  });
}

function storedDrafts(tabStorage: KeyValueStorage): [string, string][] {
  try {
    const stored: unknown = JSON.parse(tabStorage.read(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isDraft) : [];
  } catch {
    return [];
  }
}

function isDraft(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === "string");
}
