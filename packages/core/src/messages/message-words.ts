import { containsWords, folded } from "../shared/matches-search.ts";
import type { ChatMessage } from "./message.ts";
import { textOf } from "./stored-history.ts";

/** A message object never changes: each is folded once. */
const foldedTexts = new WeakMap<ChatMessage, string>();

/** Whether the text of a message, or the name of its file, contains every word of a search. */
export function messageContains(message: ChatMessage, words: readonly string[]): boolean {
  const text = foldedTexts.get(message) ?? folded(textOf(message));
  foldedTexts.set(message, text);
  return containsWords(text, words);
}
