import { peersOf } from "@warren/core";
import { useLocation } from "wouter";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.tsx";
import { confirm } from "../../wiring/dialogs/question.tsx";
import { lazy } from "../../wiring/lazy.tsx";
import { paths } from "../../wiring/paths.ts";
import { toast } from "../../wiring/toast.tsx";
import { useRun } from "../../wiring/use-run.ts";
import { useWarren } from "../../wiring/warren-context.tsx";

const ClientInfoDialog = lazy(
  async () => (await import("../../people/client-info/client-info-dialog.tsx")).ClientInfoDialog,
);

/** The actions on a client, with their dialogs. Failures are shown, so nothing here rejects. */
interface ClientActions {
  /** Shows identity, route and permissions. */
  showInfo(): Promise<void>;
  /** Disconnects and blocks them; Undo is offered for a while. */
  block(): void;
  /** Deletes the contact and the conversation after a confirmation, then opens the start page. */
  deleteClient(): Promise<void>;
}

/** The actions on one client. */
export function useClientActions({
  id,
  name,
}: {
  readonly id: string;
  readonly name: string;
}): ClientActions {
  const t = useT();
  const run = useRun();
  const [, navigate] = useLocation();
  const { chat, room } = useWarren();

  const deleteClient = async (): Promise<void> => {
    const isHere = peersOf(room.store.getState())[id] !== undefined;
    const line = t("people.deleteLine", { name });
    const question = {
      title: t("people.deleteTitle", { name }),
      line: isHere ? joinSentences([line, t("people.deleteLineHere", { name })]) : line,
      verb: t("common.delete"),
    };
    if (!(await confirm(question))) return;
    if (await run(() => chat.deleteContact(id))) navigate(paths.home.href);
  };

  const block = (): void => {
    const undo = chat.block(id);
    toast.info(t("conversation.blocked", { name }), {
      action: { label: t("conversation.undo"), onClick: undo },
    });
  };

  return {
    block,
    deleteClient,
    async showInfo() {
      const result = await openDialog(ClientInfoDialog, { clientId: id });
      if (result.cancelled) return;
      if (result.value === "block") block();
      else await deleteClient();
    },
  };
}
