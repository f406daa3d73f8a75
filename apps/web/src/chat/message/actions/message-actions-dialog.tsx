import type { ChatMessage } from "@warren/core";
import { useT } from "../../../i18n/use-t.ts";
import { cx } from "../../../ui/cx.ts";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../../ui/overlays/dialog-control.ts";
import { useStore, useWarren } from "../../../wiring/warren-context.ts";
import { messageLine } from "../message-line.ts";
import { canReply } from "../message-rules.ts";
import { QuickReactions } from "../reactions.tsx";
import { type LogActions, type MessageAction, useMessageActions } from "./use-message-actions.ts";

const hairline = <div className="col-span-full mx-3 my-1 h-px bg-line" />;

interface MessageActionsDialogProps extends DialogSlot<() => void>, LogActions {
  readonly message: ChatMessage;
}

/** The actions for a message with their words. It covers what it is for, so it repeats a line of it. Its result is to be run. */
export function MessageActionsDialog({ dialog, message: pressed, ...logActions }: MessageActionsDialogProps) {
  const t = useT();
  const { chat } = useWarren();
  const message =
    useStore(chat.store, ({ conversations }) =>
      conversations[pressed.conversation]?.messages.findLast(({ key }) => key === pressed.key),
    ) ?? pressed;
  const { reply, others, remove } = useMessageActions(message, logActions);
  return (
    <Dialog
      dialog={dialog}
      title={t("conversation.messageActions")}
      hideTitle
      description={
        <span dir="auto" className="block truncate">
          {messageLine(message, t)}
        </span>
      }
      initialFocus="top"
      size="sm"
    >
      <div
        // On a phone that lies on its side, one column would end below the window.
        className="-mx-3 mt-2 low:grid low:grid-cols-2"
      >
        {canReply(message) && (
          <>
            <div className="col-span-full flex justify-between">
              <QuickReactions message={message} onReact={dialog.submit} />
            </div>
            {hairline}
          </>
        )}
        {[...(reply ? [reply] : []), ...others].map((action) => (
          <SheetAction key={action.label} {...action} onPress={dialog.submit} />
        ))}
        {hairline}
        <SheetAction isDanger {...remove} onPress={dialog.submit} />
      </div>
    </Dialog>
  );
}

interface SheetActionProps extends MessageAction {
  readonly isDanger?: boolean;
  readonly onPress: (run: () => void) => void;
}

function SheetAction({ icon: Glyph, label, run, isDanger = false, onPress }: SheetActionProps) {
  return (
    <button
      type="button"
      className={cx(
        "flex h-12 w-full items-center gap-4 rounded-row px-3 text-left text-body",
        isDanger
          ? "text-danger hover:bg-danger-soft active:bg-danger-soft"
          : "hover:bg-hover active:bg-hover",
      )}
      onClick={() => onPress(run)}
    >
      <Glyph size={20} className={isDanger ? undefined : "text-text-2"} />
      {label}
    </button>
  );
}
