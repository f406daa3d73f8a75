import { type ChatMessage, isRoomConversation } from "@warren/core";
import { useCallback } from "react";
import { fileStateOf, fileStates } from "../../file-state/file-state.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { useNameOf } from "../../people/use-person.ts";
import { ask, confirm } from "../../wiring/dialogs/question.tsx";
import { useRun } from "../../wiring/use-run.ts";
import { useWarren } from "../../wiring/warren-context.tsx";
import { canDeleteForAll } from "./message-subject.ts";

/** Whether deleting it ends a transfer. */
function isActive(message: ChatMessage): boolean {
  return (
    message.type === "file" &&
    Object.entries(message.offers).some(
      ([peer, offer]) => fileStates[fileStateOf(offer, peer !== message.client)].outcome === "accepted",
    )
  );
}

/**
 * Deletes a message from this browser after a confirmation. `onDeleted` moves the focus that the message had.
 */
export function useDeleteMessage(onDeleted: () => void): (message: ChatMessage) => void {
  const t = useT();
  const { chat, profile } = useWarren();
  const nameOf = useNameOf();
  const run = useRun();
  const askAndDelete = async (message: ChatMessage): Promise<void> => {
    const name = firstNameOf(nameOf(message.conversation));
    const line = isActive(message)
      ? t("conversation.deleteLineActive")
      : message.type === "text" && message.clipboard
        ? t("conversation.deleteLineClipboard")
        : isRoomConversation(message.conversation)
          ? t("conversation.deleteLineEveryone")
          : t("conversation.deleteLine", { name });
    const title = t("conversation.deleteTitle");
    if (canDeleteForAll(message, profile.get().clientId)) {
      const isRoom = isRoomConversation(message.conversation);
      const everywhere = isRoom
        ? t("conversation.deleteForEveryone")
        : t("conversation.deleteForBoth", { name });
      const answer = await ask({
        title,
        line:
          message.type === "file"
            ? isRoom
              ? t("conversation.deleteFileForEveryoneLine")
              : t("conversation.deleteFileForBothLine", { name })
            : isRoom
              ? t("conversation.deleteForEveryoneLine")
              : t("conversation.deleteForBothLine", { name }),
        answers: [
          { value: "here", verb: t("conversation.deleteHere") },
          { value: "everywhere", verb: everywhere, variant: "danger" },
        ],
      });
      if (answer.cancelled) return;
      const isHereOnly = answer.value === "here";
      if (await run(() => (isHereOnly ? chat.remove(message.key) : chat.deleteMessage(message.key))))
        onDeleted();
      return;
    }
    if (!(await confirm({ title, line, verb: t("common.delete") }))) return;
    if (await run(() => chat.remove(message.key))) onDeleted();
  };
  // Memoized rows depend on this function: it must be stable.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `askAndDelete` is a new function in every render
  return useCallback(
    (message: ChatMessage) => void askAndDelete(message),
    [t, chat, profile, run, nameOf, onDeleted],
  );
}
