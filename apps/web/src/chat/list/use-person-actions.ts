import { peersOf } from "@warren/core";
import { useLocation } from "wouter";
import { useCalling } from "../../call/use-calling.ts";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import type { AfterInfo } from "../../people/person-info/person-info-dialog.tsx";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { confirm } from "../../wiring/dialogs/question.tsx";
import { lazyWithPreload } from "../../wiring/lazy-with-preload.ts";
import { paths } from "../../wiring/paths.ts";
import { toast } from "../../wiring/toast.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";

const PersonInfoDialog = lazyWithPreload(() => import("../../people/person-info/person-info-dialog.tsx"));

/** The actions on a person, with their dialogs. Failures are shown, so nothing here rejects. */
interface PersonActions {
  /** Shows identity, route and permissions. */
  showInfo(): Promise<void>;
  /** Disconnects and blocks them; Undo is offered for a while. */
  block(): void;
  /** Deletes the contact and the conversation after a confirmation, then opens the start page. */
  deleteConversation(): Promise<void>;
}

/** The actions on one person. */
export function usePersonActions({
  id,
  name,
}: {
  readonly id: string;
  readonly name: string;
}): PersonActions {
  const t = useT();
  const [, navigate] = useLocation();
  const { call: roomCall, chat, room } = useWarren();
  const { call } = useCalling();

  const deleteConversation = async (): Promise<void> => {
    const isHere = peersOf(room.store.getState())[id] !== undefined;
    const line = t("people.deleteLine", { name });
    const question = {
      title: t("people.deleteTitle", { name }),
      line: isHere ? joinSentences([line, t("people.deleteLineHere", { name })]) : line,
      verb: t("common.delete"),
    };
    if (!(await confirm(question))) return;
    if (await withErrorToast(() => chat.deleteContact(id))) navigate(paths.home.href);
  };

  const block = (): void => {
    const undo = chat.block(id);
    toast.info(t("conversation.blocked", { name }), {
      action: { label: t("conversation.undo"), onClick: undo },
    });
  };

  /** Calls them, or opens the call that one is in with them. */
  const start = (video: boolean): Promise<void> | void => {
    const { outgoing, partner } = roomCall.ringing.store.getState();
    const isBusy = partner === id || outgoing?.waiting.includes(id) === true;
    return isBusy ? navigate(paths.call.href) : call(id, { video });
  };
  const afterInfo: Readonly<Record<AfterInfo, () => Promise<void> | void>> = {
    message: () => navigate(paths.chat.href(id)),
    voice: () => start(false),
    video: () => start(true),
    block,
    delete: deleteConversation,
  };

  return {
    block,
    deleteConversation,
    async showInfo() {
      const result = await openDialog(PersonInfoDialog, { personId: id });
      if (result.cancelled) return;
      await afterInfo[result.value]();
    },
  };
}
