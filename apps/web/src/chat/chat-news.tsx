import {
  type ChatMessage,
  type ChatState,
  peersOf,
  permissionEffect,
  type TransferSnapshot,
  type TransferSnapshots,
} from "@warren/core";
import { type ClientId, contentSizeOf } from "@warren/protocol";
import { useEffect, useRef } from "react";
import { fileStateOfTransfer, fileStates } from "../file-state/file-state.ts";
import { treeName } from "../files/tree/tree-name.ts";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { firstNameOf, shownName } from "../people/shown-name.ts";
import { useNameOf } from "../people/use-person.ts";
import { useDevice } from "../ui/device-context.tsx";
import { oneLine } from "../ui/one-line.ts";
import { toast } from "../ui/toaster.tsx";
import { type Announcer, useAnnouncer } from "../ui/use-announcer.tsx";
import { useCopyText } from "../ui/use-copy-text.ts";
import { useRun } from "../ui/use-run.ts";
import { useWarren } from "../ui/warren-context.tsx";
import type { EarlyNews } from "./early-news.ts";

/** Long enough to read the toast and reach its button. */
const clipboardToastMs = 12_000;

/** The time for which the server lets a newcomer wait for an answer. */
const newcomerToastMs = 60_000;

interface ChatNewsProps {
  readonly early?: EarlyNews;
}

/**
 * Reports what happens in the room: received clipboard text and newcomers to be let in as toasts, everything else to
 * screen readers. Rendered once.
 */
export function ChatNews({ early }: ChatNewsProps) {
  useClipboardToasts(early?.clipboard);
  useNewcomerToasts(early?.newcomers);
  useMessageAnnouncements(early?.chat);
  useTransferAnnouncements(early?.transfers);
  return null;
}

function useClipboardToasts(early: EarlyNews["clipboard"] | undefined): void {
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
    const receive = async (from: string, text: string, allowed: boolean): Promise<void> => {
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
    for (const news of early?.splice(0) ?? []) void receive(...news);
    return chat.on("clipboard", (...news) => void receive(...news));
  }, [early, t, run, chat, room, settings, writeClipboard, nameOf, copyText]);
}

/** Asks whether a newcomer may enter, after so many wrong passwords that somebody may be guessing. */
function useNewcomerToasts(early: EarlyNews["newcomers"] | undefined): void {
  const t = useT();
  const run = useRun();
  const { room, chat, profile } = useWarren();
  useEffect(() => {
    const ask = (clientId: ClientId): void => {
      const { contacts } = chat.store.getState();
      // Without a proven key anyone can use a known id.
      const known = contacts[clientId]?.proven
        ? shownName(clientId, contacts, profile.get().name)
        : undefined;
      toast.warning(t("door.knock", { name: known ?? t("people.someone") }), {
        id: `newcomer/${clientId}`,
        description: t("door.why"),
        duration: newcomerToastMs,
        action: { label: t("door.letIn"), onClick: () => void run(() => room.letIn(clientId)) },
      });
    };
    for (const clientId of early?.splice(0) ?? []) ask(clientId);
    return room.on("approval-needed", ask);
  }, [early, t, run, room, chat, profile]);
}

/** The log announces messages of the open conversation; this announces the others, and every offer. */
function useMessageAnnouncements(early: ChatState | undefined): void {
  const unseen = useRef(early);
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
    const announceNew = (now: ChatState, before: ChatState): void => {
      if (now.conversations === before.conversations) return;
      for (const message of newMessages(before, now)) announce(message, now.open);
    };
    if (unseen.current !== undefined) announceNew(chat.store.getState(), unseen.current);
    unseen.current = undefined;
    return chat.store.subscribe(announceNew);
  }, [t, format, announcer, chat, profile, nameOf]);
}

function useTransferAnnouncements(early: TransferSnapshots | undefined): void {
  const unseen = useRef(early);
  const t = useT();
  const format = useFormat();
  const announcer = useAnnouncer();
  const { transfers } = useWarren();
  useEffect(() => {
    const announce = milestoneAnnouncer(announcer, t, format.percent);
    if (unseen.current !== undefined) announce(transfers.store.getState(), unseen.current);
    unseen.current = undefined;
    return transfers.store.subscribe(announce);
  }, [t, format, announcer, transfers]);
}

function milestoneAnnouncer(
  announcer: Announcer,
  t: ReturnType<typeof useT>,
  percent: (fraction: number) => string,
) {
  return (now: TransferSnapshots, before: TransferSnapshots): void => {
    for (const transfer of [...now.values()]) {
      const former = before.get(transfer.key);
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

/** The messages added to a conversation's end between two states of the store. */
export function newMessages(before: ChatState, now: ChatState): readonly ChatMessage[] {
  if (!before.loaded) return [];
  return Object.entries(now.conversations).flatMap(([id, conversation]) => {
    const known = before.conversations[id];
    if (conversation === undefined || conversation === known) return [];
    const lastKey = known?.messages.at(-1)?.key;
    const from = conversation.messages.findLastIndex((message) => message.key === lastKey) + 1;
    const isShorter = known !== undefined && conversation.messages.length <= known.messages.length;
    return isShorter ? [] : conversation.messages.slice(from);
  });
}

/** Transfer events that are announced. */
type Milestone =
  | { readonly kind: "started" }
  | { readonly kind: "progress"; readonly fraction: number }
  | { readonly kind: "complete" }
  | { readonly kind: "failed" };

const quarters = [0.75, 0.5, 0.25];

function quarterOf({ transferredBytes, totalBytes }: TransferSnapshot): number {
  const fraction = totalBytes === 0 ? 0 : transferredBytes / totalBytes;
  return quarters.find((quarter) => fraction >= quarter) ?? 0;
}

/** The announced event between two states of a transfer; null if there is none. */
export function milestoneOf(before: TransferSnapshot | undefined, now: TransferSnapshot): Milestone | null {
  const former = before && fileStates[fileStateOfTransfer(before)];
  const { outcome, tray } = fileStates[fileStateOfTransfer(now)];
  if (outcome !== former?.outcome) {
    if (outcome === "complete") return { kind: "complete" };
    // A person's decision is not a failure.
    if (outcome === "failed") return { kind: "failed" };
  }
  if (tray !== "moving") return null;
  const wasOpen = former?.tray === "moving" || former?.tray === "queued" || former?.tray === "stalled";
  if (!wasOpen) return { kind: "started" };
  const fraction = quarterOf(now);
  return before !== undefined && fraction > quarterOf(before) ? { kind: "progress", fraction } : null;
}
