/** The database of pending shared items, and the channel on which pages learn of changes. */
export const sharedStore = "warren-shared";

/** What a page asks of a service worker. */
export type ToServiceWorker =
  /** Take over now: the person, or the rule they know, wants the new version. */
  | { readonly type: "take-over" }
  /** Take over where that changes nothing for anybody: the asking page is the only one. */
  | { readonly type: "take-over-when-alone" }
  /** Asks for the build, to be answered on the enclosed port. */
  | { readonly type: "tell-build" };

/** Sent to open pages by the service worker: another app shared something, and it is stored. */
export interface ShareTargetMessage {
  readonly type: "share-target";
}

/** Whether a message, which any script of this origin may have sent, is the news of something shared. */
export function isShareTargetMessage(data: unknown): data is ShareTargetMessage {
  return typeof data === "object" && data !== null && "type" in data && data.type === "share-target";
}

/** What a page asks, null for anything else. */
export function readRequest(data: unknown): ToServiceWorker["type"] | null {
  if (typeof data !== "object" || data === null || !("type" in data)) return null;
  const { type } = data;
  return type === "take-over" || type === "take-over-when-alone" || type === "tell-build" ? type : null;
}
