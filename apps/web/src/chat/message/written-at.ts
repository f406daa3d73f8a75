import type { ChatMessage } from "@warren/core";
import type { Format } from "../../i18n/format.ts";

/** The time of a message, with its date if it was delivered on another day. */
export function writtenAt({ createdAt, sortedAt }: ChatMessage, format: Format): string {
  const sameDay = new Date(createdAt).toDateString() === new Date(sortedAt).toDateString();
  return sameDay ? format.time(createdAt) : format.dateTime(createdAt);
}
