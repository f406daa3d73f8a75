import type { ConversationId, MessageKey, ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

/** A search to be opened in a conversation, at one of its messages. */
export interface SearchRequest {
  readonly conversation: ConversationId;
  readonly query: string;
  readonly key: MessageKey;
}

const store = createStore<{ readonly request: SearchRequest | null }>(() => ({ request: null }));

/** The search that the next conversation to show it takes. */
export const searchRequests: ReadableStore<{ readonly request: SearchRequest | null }> = store;

/** Opens a search in a conversation as soon as that is shown. */
export function requestSearch(request: SearchRequest): void {
  store.setState({ request });
}

/** Ends the request: it was taken. */
export function endSearchRequest(): void {
  store.setState({ request: null });
}
