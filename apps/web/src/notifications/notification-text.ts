import { type ChatState, type ConversationId, isRoomConversation } from "@warren/core";
import { type ClientId, contentSizeOf } from "@warren/protocol";
import { textLine } from "../chat/message/message-line.ts";
import { treeName } from "../files/tree/tree-name.ts";
import { currentFormat } from "../i18n/format.ts";
import { translate } from "../i18n/i18n.ts";
import { firstNameOf } from "../people/shown-name.ts";
import type { NotificationButton } from "../platform/notifier.ts";
import { conversationOf, senderOf, type Update, type UpdateKind } from "./updates.ts";

interface NotificationText {
  readonly title: string;
  readonly body: string;
}

interface Names {
  readonly ofPerson: (clientId: ClientId) => string;
  readonly ofRoom: (conversation: ConversationId) => string;
}

/** What a notification says of the updates of one conversation; of several it describes the last. */
export function notificationText(
  updates: readonly Update[],
  last: Update,
  state: ChatState,
  names: Names,
): NotificationText {
  const from = senderOf(last);
  const conversation = conversationOf(last, state);
  if (last.kind === "join-request") {
    const isProven = state.contacts[from]?.proven;
    const name = isProven ? names.ofPerson(from) : translate("people.someone");
    return { title: names.ofRoom(conversation), body: translate("joinRequest.title", { name }) };
  }
  const name = names.ofPerson(from);
  const title = isRoomConversation(conversation)
    ? translate("notification.inRoom", { name, room: names.ofRoom(conversation) })
    : name;
  const count = updates.filter(({ kind }) => kind === last.kind).length;
  return { title, body: bodyOf(last, count, firstNameOf(name)) };
}

function bodyOf(update: Exclude<Update, { kind: "join-request" }>, count: number, name: string): string {
  switch (update.kind) {
    case "message":
    case "offer": {
      const { message } = update;
      if (message.type === "text") return textLine(message, translate);
      const size = currentFormat().size(contentSizeOf(message.file));
      return translate("notification.offer", { file: treeName(message.file, translate), size });
    }
    case "received":
    case "sent":
    case "failed":
      return count > 1
        ? translate(`notification.${update.kind}Many`, { count })
        : translate(`notification.${update.kind}`, { file: update.transfer.fileName });
    case "call":
      return translate(
        update.ring.toRoom ? "call.ring.everyone" : update.ring.video ? "call.ring.video" : "call.ring.voice",
        { name },
      );
    case "missed-call":
      return translate("call.ring.missed", { name });
  }
}

/** Names neither a person nor what they sent. */
export function discreetText(kind: UpdateKind): NotificationText {
  return { title: translate("title.app"), body: translate(`notification.discreet.${kind}`) };
}

/** What can be done from the notification itself. */
export function notificationButtons(
  kind: UpdateKind,
  isContentShown: boolean,
): readonly NotificationButton[] {
  const reply = {
    action: "reply",
    title: translate("notification.reply"),
    placeholder: translate("notification.replyPlaceholder"),
  };
  switch (kind) {
    case "message":
      return [reply];
    case "offer":
      // Nobody accepts what is not named.
      return isContentShown ? [{ action: "accept", title: translate("file.keepHere") }, reply] : [];
    case "call":
      return [{ action: "decline", title: translate("call.ring.decline") }];
    case "join-request":
      return isContentShown ? [{ action: "let-in", title: translate("joinRequest.letIn") }] : [];
    default:
      return [];
  }
}
