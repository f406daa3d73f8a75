import { type ChatMessage, isRoomConversation } from "@warren/core";
import { outcomeOf } from "../../../file-state/file-state.ts";
import type { Translate } from "../../../i18n/messages.ts";
import { useT } from "../../../i18n/use-t.ts";
import { firstNameOf } from "../../../people/shown-name.ts";
import { useNameOf } from "../../../people/use-person.ts";
import { ask, confirm } from "../../../wiring/dialogs/question.tsx";
import { useWarren } from "../../../wiring/warren-context.ts";
import { withErrorToast } from "../../../wiring/with-error-toast.ts";
import { canDeleteForAll } from "../message-rules.ts";

/** Whether deleting it ends a transfer. */
function isActive(message: ChatMessage): boolean {
  return (
    message.type === "file" &&
    Object.entries(message.offers).some(
      ([peer, offer]) => outcomeOf(offer, peer !== message.client) === "accepted",
    )
  );
}

/** Asks whether to delete messages of one conversation, here or for everybody, and does it. `onDeleted` moves the focus they had. */
export function useDeleteMessages(
  onDeleted: () => void,
): (messages: readonly ChatMessage[]) => Promise<void> {
  const t = useT();
  const { chat, profile } = useWarren();
  const nameOf = useNameOf();
  return async (messages) => {
    const [first] = messages;
    if (first === undefined) return;
    const isRoom = isRoomConversation(first.conversation);
    const name = firstNameOf(nameOf(first.conversation));
    const words = deleteWords(messages, { t, isRoom, name });
    const deleteAll = async (how: (message: ChatMessage) => Promise<void>): Promise<void> => {
      const isDone = await withErrorToast(async () => {
        for (const message of messages) await how(message);
      });
      if (isDone) onDeleted();
    };
    const deleteHere = (message: ChatMessage) => chat.remove(message.key);
    const { clientId } = profile.get();
    if (!messages.every((message) => canDeleteForAll(message, clientId))) {
      const { title, here: line } = words;
      if (await confirm({ title, line, verb: t("common.delete") })) await deleteAll(deleteHere);
      return;
    }
    const everywhere = isRoom
      ? t("conversation.deleteForEveryone")
      : t("conversation.deleteForBoth", { name });
    const answer = await ask({
      title: words.title,
      line: words.forAll,
      answers: [
        { value: "here", verb: t("conversation.deleteHere") },
        { value: "everywhere", verb: everywhere, variant: "danger" },
      ],
    });
    if (answer.cancelled) return;
    await deleteAll(answer.value === "here" ? deleteHere : ({ key }) => chat.deleteMessage(key));
  };
}

interface DeleteContext {
  readonly t: Translate;
  readonly isRoom: boolean;
  readonly name: string;
}

/** The question, and what follows from deleting here only or for everybody. */
function deleteWords(
  messages: readonly ChatMessage[],
  { t, isRoom, name }: DeleteContext,
): { readonly title: string; readonly here: string; readonly forAll: string } {
  const [message, ...others] = messages;
  if (message === undefined || others.length > 0)
    return {
      title: t("conversation.deleteManyTitle", { count: messages.length }),
      here: messages.some(isActive)
        ? t("conversation.deleteManyLineActive")
        : t("conversation.deleteManyLine"),
      forAll: isRoom
        ? t("conversation.deleteManyForEveryoneLine")
        : t("conversation.deleteManyForBothLine", { name }),
    };
  const isFile = message.type === "file";
  return {
    title: t("conversation.deleteTitle"),
    here: isActive(message)
      ? t("conversation.deleteLineActive")
      : message.type === "text" && message.clipboard
        ? t("conversation.deleteLineClipboard")
        : isRoom
          ? t("conversation.deleteLineEveryone")
          : t("conversation.deleteLine", { name }),
    forAll: isRoom
      ? t(isFile ? "conversation.deleteFileForEveryoneLine" : "conversation.deleteForEveryoneLine")
      : t(isFile ? "conversation.deleteFileForBothLine" : "conversation.deleteForBothLine", { name }),
  };
}
