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

/** What a notification carries for the press on it. */
export interface NotificationData {
  /** The page that showed it. */
  readonly page: string;
  /** The address of what it is about, from the root of the app; for when that page is gone. */
  readonly path: string;
}

/** Sent by the service worker to open pages: a person pressed a notification. The page that showed it answers on the port. */
export interface NotificationPressMessage {
  readonly type: "notification-press";
  readonly page: string;
  readonly tag: string;
  /** The pressed button; empty for the notification itself. */
  readonly action: string;
  /** What was written into it, where the browser lets people do that. */
  readonly reply: string | null;
}

/** As {@link isShareTargetMessage}, for a {@link NotificationPressMessage}. */
export function isNotificationPress(data: unknown): data is NotificationPressMessage {
  if (typeof data !== "object" || data === null) return false;
  const { type, page, tag, action, reply }: Partial<Record<string, unknown>> = { ...data };
  const areTexts = [page, tag, action].every((text) => typeof text === "string");
  return type === "notification-press" && areTexts && (reply === null || typeof reply === "string");
}

/** The data of a notification; null if it is none of ours. */
export function readNotificationData(data: unknown): NotificationData | null {
  if (typeof data !== "object" || data === null) return null;
  const { page, path }: Partial<Record<string, unknown>> = { ...data };
  return typeof page === "string" && typeof path === "string" ? { page, path } : null;
}
