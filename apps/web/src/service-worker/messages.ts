/** The database of pending shared items, and the channel on which pages learn of changes. */
export const sharedStore = "warren-shared";

/** A request of a page to a service worker. */
export type ToServiceWorker =
  /** Take over now: the user, or an update rule known to the user, asked for the new version. */
  | { readonly type: "take-over" }
  /** Take over if nobody notices: if the requesting page is the only one. */
  | { readonly type: "take-over-when-alone" }
  /** Requests the build version, sent to the enclosed port. */
  | { readonly type: "tell-build" };

/** Sent by the service worker to open pages: another app shared something, and it is stored. */
export interface ShareTargetMessage {
  readonly type: "share-target";
}

/** Whether a message is a {@link ShareTargetMessage}. Any script of this origin can send messages. */
export function isShareTargetMessage(data: unknown): data is ShareTargetMessage {
  return typeof data === "object" && data !== null && "type" in data && data.type === "share-target";
}

/** Parses a page's request; null for anything else. */
export function readRequest(data: unknown): ToServiceWorker["type"] | null {
  if (typeof data !== "object" || data === null || !("type" in data)) return null;
  const { type } = data;
  return type === "take-over" || type === "take-over-when-alone" || type === "tell-build" ? type : null;
}
