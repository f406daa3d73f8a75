import { type ChatMessage, peersOf, permissionEffect, type TransferSnapshots } from "@warren/core";
import { contentSizeOf } from "@warren/protocol";
import { useEffect } from "react";
import { treeName } from "../files/tree/use-tree-words.ts";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { firstNameOf, shownName } from "../people/shown-name.ts";
import { useDevice } from "../ui/device-context.tsx";
import { oneLine } from "../ui/one-line.ts";
import { toast } from "../ui/toaster.tsx";
import { type Announcer, useAnnouncer } from "../ui/use-announcer.tsx";
import { useCopyText } from "../ui/use-copy-text.ts";
import { useRun } from "../ui/use-run.ts";
import { useWarren } from "../ui/warren-context.tsx";
import { milestoneOf, newMessages } from "./news.ts";
import { useAutomaticSaving } from "./use-automatic-saving.ts";

/** Long enough to read the toast and reach its button. */
const clipboardToastMs = 12_000;

/**
 * Reports chat events: received clipboard text in toasts, everything else to screen readers. Rendered once.
 */
export function ChatNews() {
  useClipboardToasts();
  useMessageAnnouncements();
  useTransferAnnouncements();
  useAutomaticSaving();
  return null;
}

function useNameOf(): (clientId: string) => string {
  const t = useT();
  const { room, chat, profile } = useWarren();
  return (clientId) => {
    const peer = peersOf(room.store.getState())[clientId];
    const { contacts } = chat.store.getState();
    return shownName(clientId, contacts, profile.get().name, peer?.profile?.name) ?? t("people.someone");
  };
}

function useClipboardToasts(): void {
  const t = useT();
  const { chat, room, settings } = useWarren();
  const { writeClipboard } = useDevice();
  const nameOf = useNameOf();
  const copyText = useCopyText();
  const run = useRun();
  useEffect(() => {
    const offer = (from: string, name: string, text: string): void => {
      const client = {
        contact: chat.store.getState().contacts[from],
        peer: peersOf(room.store.getState())[from],
      };
      const canAllow = permissionEffect(client, settings.get()) === "allowed";
      const allow = async () => {
        await run(() => chat.permit(from, { clipboardAllowed: true }));
        await copyText(text);
      };
      toast.info(t("toast.clipboardFrom", { name }), {
        // Only the newest text per peer is shown; the clipboard dialog has the others.
        id: `clipboard/${from}`,
        description: oneLine(text),
        duration: clipboardToastMs,
        action: { label: t("common.copy"), onClick: () => void copyText(text) },
        ...(canAllow && {
          cancel: { label: t("toast.alwaysAllow", { name }), onClick: () => void allow() },
        }),
      });
    };
    const take = async (from: string, text: string, allowed: boolean): Promise<void> => {
      const name = firstNameOf(nameOf(from));
      // A write queued until the window has focus counts as written; one the browser refuses needs a click.
      const write = allowed ? await writeClipboard(text) : null;
      if (write?.status === "written" || write?.status === "queued") {
        toast.success(t("toast.clipboardCopied", { name }), {
          // Not the offer's id: sonner loses a toast that reuses the id of one being removed, which takes
          // long in a hidden page.
          id: `clipboard-copied/${from}`,
          description: oneLine(text),
        });
      } else offer(from, name, text);
    };
    return chat.on("clipboard", (...news) => void take(...news));
  }, [t, run, chat, room, settings, writeClipboard, nameOf, copyText]);
}

/** The log announces messages of the open conversation; this announces the others, and every offer. */
function useMessageAnnouncements(): void {
  const t = useT();
  const format = useFormat();
  const announcer = useAnnouncer();
  const { chat, profile } = useWarren();
  const nameOf = useNameOf();
  useEffect(() => {
    const announce = (message: ChatMessage, open: string | null): void => {
      if (message.client === profile.get().clientId) return;
      const name = nameOf(message.client);
      if (message.type === "file") {
        const file = treeName(message.file, t);
        announcer.polite(
          t("file.announce.offered", { name, file, size: format.size(contentSizeOf(message.file)) }),
        );
      } else if (message.conversation !== open) {
        announcer.polite(t("people.fromName", { name, text: oneLine(message.data) }));
      }
    };
    return chat.store.subscribe((now, before) => {
      if (now.conversations === before.conversations) return;
      for (const message of newMessages(before, now)) announce(message, now.open);
    });
  }, [t, format, announcer, chat, profile, nameOf]);
}

function useTransferAnnouncements(): void {
  const t = useT();
  const format = useFormat();
  const announcer = useAnnouncer();
  const { transfers } = useWarren();
  useEffect(() => {
    const announce = milestoneAnnouncer(announcer, t, format.percent);
    return transfers.store.subscribe(announce);
  }, [t, format, announcer, transfers]);
}

function milestoneAnnouncer(
  announcer: Announcer,
  t: ReturnType<typeof useT>,
  percent: (fraction: number) => string,
) {
  return (now: TransferSnapshots, before: TransferSnapshots): void => {
    for (const transfer of Object.values(now)) {
      const former = before[transfer.key];
      const milestone = former === transfer ? null : milestoneOf(former, transfer);
      if (milestone === null) continue;
      const file = transfer.fileName;
      if (milestone.kind === "failed") announcer.assertive(t("file.announce.failed", { file }));
      else if (milestone.kind === "progress") {
        announcer.polite(t("file.announce.progress", { file, percent: percent(milestone.fraction) }));
      } else announcer.polite(t(`file.announce.${milestone.kind}`, { file }));
    }
  };
}
