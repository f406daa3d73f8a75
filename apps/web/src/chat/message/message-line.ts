import type { ChatMessage, TextMessage } from "@warren/core";
import { treeName } from "../../files/tree/tree-name.ts";
import type { Translate } from "../../i18n/messages.ts";
import { oneLine } from "../../ui/text/one-line.ts";

/** A message on one line. */
export function messageLine(message: ChatMessage, t: Translate): string {
  switch (message.type) {
    case "text":
      return textLine(message, t);
    case "file":
      return treeName(message.file, t);
    case "call":
      return t(`call.past.${message.outcome}.${message.video ? "video" : "voice"}`);
  }
}

/** A text on one line, or that it was deleted. */
export function textLine({ data, deleted, clipboard }: TextMessage, t: Translate): string {
  if (deleted) return t("conversation.deleted");
  return clipboard ? t("conversation.clipboardLine", { text: oneLine(data) }) : oneLine(data);
}
