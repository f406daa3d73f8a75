import { cleanText, isBlank, limits, safeFileName, truncateUtf8 } from "@warren/protocol";
import type { ForwardItem } from "../tab/forward-item.ts";
import { sharedText } from "./read-shared.ts";

/**
 * A stored item, from here or from the service worker; null if it is invalid, because anything may have
 * written to the store.
 */
export function readStoredItem(value: unknown): ForwardItem | null {
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  switch (value.type) {
    case "file":
      return "file" in value && value.file instanceof File
        ? { type: "file", file: namedSafely(value.file) }
        : null;
    case "text":
      return textItem(cleanText(truncateUtf8(stringOf(value, "text"), limits.textBytes)));
    case "fields":
      return textItem(
        sharedText({
          title: stringOf(value, "title"),
          text: stringOf(value, "text"),
          url: stringOf(value, "url"),
        }),
      );
    default:
      return null;
  }
}

function textItem(text: string): ForwardItem | null {
  return isBlank(text) ? null : { type: "text", text };
}

function stringOf(value: object, field: string): string {
  const found: unknown = Reflect.get(value, field);
  return typeof found === "string" ? found : "";
}

/** A file with a name that is safe to show and send; other apps may use any name. */
function namedSafely(file: File): File {
  const name = safeFileName(file.name);
  return name === file.name
    ? file
    : new File([file], name, { type: file.type, lastModified: file.lastModified });
}
