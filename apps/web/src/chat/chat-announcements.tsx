import {
  type ChatMessage,
  type ChatState,
  peersOf,
  permissionEffect,
  type TextMessage,
  type TransferSnapshot,
  type TransferSnapshots,
} from "@warren/core";
import { type ClientId, contentSizeOf, truncated } from "@warren/protocol";
import { useEffect } from "react";
import { fileStateOf, fileStateOfTransfer, fileStates } from "../file-state/file-state.ts";
import { treeName } from "../files/tree/tree-name.ts";
import { translate } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { firstNameOf, shownName } from "../people/shown-name.ts";
import { useNameOf } from "../people/use-person.ts";
import { oneLine } from "../ui/one-line.ts";
import { useDevice } from "../wiring/device-context.tsx";
import { toast } from "../wiring/toast.tsx";
import { useCopyText } from "../wiring/use-copy-text.ts";
import { useRun } from "../wiring/use-run.ts";
import { useWarren } from "../wiring/warren-context.tsx";
import {
  tellCancelled,
  tellDeclined,
  tellDeleted,
  tellEdited,
  tellFailure,
  tellMessage,
  tellNotSent,
  tellOffer,
  tellProgress,
  tellReaction,
  tellReceived,
  tellSent,
  tellStart,
} from "./message/announcements.ts";
import { deliverySummary } from "./message/delivery.ts";
import { textLine } from "./message/message-subject.ts";

/** Long enough to read the toast and reach its button. */
const clipboardToastMs = 12_000;

/** The time for which the server lets a newcomer wait for an answer. */
const newcomerToastMs = 60_000;

/**
 * Reports what happens in the room: received clipboard text and newcomers to be let in as toasts, everything else to
 * screen readers. Rendered once.
 */
export function ChatAnnouncements() {
  useClipboardToasts();
  useNewcomerToasts();
  useMessageAnnouncements();
  useTransferAnnouncements();
  return null;
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
      // Strangers are not to take the screen; the conversation has their texts.
      const contact = chat.store.getState().contacts[from];
      if (contact?.nearby && !contact.accepted) return;
      const client = {
        contact,
        peer: peersOf(room.store.getState())[from],
      };
      const canAllow = permissionEffect(client, settings.get()) === "allowed";
      const allow = async () => {
        await run(() => chat.permit(from, { clipboardAllowed: true }));
        await copyText(text);
      };
      toast.info(t("toast.clipboardFrom", { name }), {
        // Only the newest text per peer is shown; the conversation has the others.
        id: `clipboard/${from}`,
        description: oneLine(text),
        durationMs: clipboardToastMs,
        action: { label: t("common.copy"), onClick: () => void copyText(text) },
        ...(canAllow && {
          cancel: { label: t("toast.alwaysAllow", { name }), onClick: () => void allow() },
        }),
      });
    };
    const receive = async ({ client: from, data: text, conversation }: TextMessage, allowed: boolean) => {
      const name = firstNameOf(nameOf(from));
      // A write queued until the window has focus counts as written; one the browser refuses needs a click.
      const write = allowed ? await writeClipboard(text) : null;
      if (write?.status === "written" || write?.status === "queued") {
        toast.success(t("toast.clipboardCopied", { name }), {
          id: `clipboard/${from}`,
          description: oneLine(text),
        });
      } else if (chat.store.getState().open !== conversation) offer(from, name, text);
    };
    return chat.on("clipboard", (...received) => void receive(...received));
  }, [t, run, chat, room, settings, writeClipboard, nameOf, copyText]);
}

/** Asks whether a newcomer may enter, after so many wrong passwords that somebody may be guessing. */
function useNewcomerToasts(): void {
  const t = useT();
  const run = useRun();
  const { room, chat, profile } = useWarren();
  useEffect(() => {
    const toastOf = (clientId: ClientId) => `newcomer/${clientId}`;
    const ask = (clientId: ClientId): void => {
      const { contacts } = chat.store.getState();
      // Without a proven key anyone can use a known id.
      const known = contacts[clientId]?.proven
        ? shownName(clientId, contacts, profile.get().name)
        : undefined;
      toast.warning(t("door.knock", { name: known ?? t("people.someone") }), {
        id: toastOf(clientId),
        description: t("door.why"),
        durationMs: newcomerToastMs,
        action: { label: t("door.letIn"), onClick: () => void run(() => room.letIn(clientId)) },
      });
    };
    const stops = [
      room.on("approval-needed", ask),
      room.on("approval-over", (clientId) => toast.dismiss(toastOf(clientId))),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [t, run, room, chat, profile]);
}

/** How much of a text in the open conversation is read out; the log has the rest. */
const readOutLength = 1_000;

/** Tells of messages, of offers, of what others decided about a file, and of what was not sent. */
function useMessageAnnouncements(): void {
  const t = useT();
  const { chat, profile } = useWarren();
  const nameOf = useNameOf();
  useEffect(() => {
    const tell = (message: ChatMessage, open: string | null): void => {
      const { client, key } = message;
      if (client === profile.get().clientId) return;
      const name = nameOf(client);
      if (message.type === "file") {
        const { fid } = message.file;
        const file = treeName(message.file, t);
        tellOffer(fileSubject(client, fid), { name, file, sizeBytes: contentSizeOf(message.file) });
      } else {
        const isReadOut = message.conversation === open && !message.deleted && !message.clipboard;
        tellMessage(key, {
          name,
          text: isReadOut ? truncated(message.data, readOutLength) : textLine(message, t),
        });
      }
    };
    const tellNew = (now: ChatState, before: ChatState): void => {
      if (now.conversations === before.conversations) return;
      for (const message of newMessages(before, now)) tell(message, now.open);
      for (const [was, message] of changedMessages(before, now)) tellChange(was, message, nameOf);
    };
    return chat.store.subscribe(tellNew);
  }, [t, chat, profile, nameOf]);
}

/** What is told of one file and person: its last event in a moment. */
function fileSubject(client: string, fid: string): string {
  return `${client}/${fid}`;
}

function useTransferAnnouncements(): void {
  const { transfers } = useWarren();
  const nameOf = useNameOf();
  useEffect(() => {
    const tell = (now: TransferSnapshots, before: TransferSnapshots): void => {
      for (const transfer of now.values()) {
        const former = before.get(transfer.key);
        const milestone = former === transfer ? null : milestoneOf(former, transfer);
        if (milestone !== null) tellMilestone(milestone, transfer, firstNameOf(nameOf(transfer.peerId)));
      }
    };
    return transfers.store.subscribe(tell);
  }, [transfers, nameOf]);
}

function tellMilestone(milestone: Milestone, transfer: TransferSnapshot, name: string): void {
  const subject = fileSubject(transfer.peerId, transfer.fid);
  const about = { name, file: transfer.fileName };
  switch (milestone) {
    case "started":
      tellStart(subject, about);
      break;
    case "progress":
      tellProgress(subject, transfer);
      break;
    case "complete":
      (transfer.mode === "receive" ? tellReceived : tellSent)(subject, about);
      break;
    case "failed":
      tellFailure(subject, about);
  }
}

/** The messages that changed between two states of the store, as they were and as they are. */
function changedMessages(
  before: ChatState,
  now: ChatState,
): readonly (readonly [ChatMessage, ChatMessage])[] {
  return Object.entries(now.conversations).flatMap(([id, conversation]) => {
    const known = before.conversations[id];
    if (conversation === undefined || known === undefined || conversation === known) return [];
    const former = new Map(known.messages.map((message) => [message.key, message]));
    return conversation.messages.flatMap((message) => {
      const was = former.get(message.key);
      return was === undefined || was === message ? [] : [[was, message] as const];
    });
  });
}

const isNotSent = (message: ChatMessage): boolean => deliverySummary(message).status === "error";

/** Tells what another person decided about a file, and which of my messages was not sent. */
function tellChange(was: ChatMessage, message: ChatMessage, nameOf: (id: ClientId) => string): void {
  if (isNotSent(message) && !isNotSent(was)) {
    tellNotSent(
      message.key,
      message.type === "file" ? treeName(message.file, translate) : textLine(message, translate),
    );
  }
  tellNewReactions(was, message, nameOf);
  if (was.type !== "file" || message.type !== "file") {
    tellTextChange(was, message, nameOf);
    return;
  }
  for (const [client, offer] of Object.entries(message.offers)) {
    const isMine = message.client !== client;
    const { outcome } = fileStates[fileStateOf(offer, isMine)];
    if (fileStates[fileStateOf(was.offers[client], isMine)].outcome === outcome) continue;
    const about = { name: firstNameOf(nameOf(client)), file: treeName(message.file, translate) };
    const subject = fileSubject(client, message.file.fid);
    if (outcome === "cancelledThere") tellCancelled(subject, about);
    // What I declined myself is not told.
    else if (outcome === "declined" && isMine) tellDeclined(subject, about);
  }
}

/** Tells of others' reactions to a message of mine. */
function tellNewReactions(was: ChatMessage, message: ChatMessage, nameOf: (id: ClientId) => string): void {
  if (was.reactions === message.reactions || Object.keys(message.deliveries).length === 0) return;
  for (const [client, { emoji }] of Object.entries(message.reactions ?? {})) {
    if (client === message.client || was.reactions?.[client]?.emoji === emoji) continue;
    const added = emoji.find((each) => !was.reactions?.[client]?.emoji.includes(each));
    if (added !== undefined) tellReaction(`${message.key}/${client}`, { name: nameOf(client), emoji: added });
  }
}

/** Tells that another person edited or deleted a text. */
function tellTextChange(was: ChatMessage, message: ChatMessage, nameOf: (id: ClientId) => string): void {
  if (was.type !== "text" || message.type !== "text" || Object.keys(message.deliveries).length > 0) return;
  const name = nameOf(message.client);
  if (message.deleted && !was.deleted) tellDeleted(message.key, { name });
  else if (message.edited !== was.edited) tellEdited(message.key, { name, text: oneLine(message.data) });
}

/** The messages added to a conversation's end between two states of the store. */
export function newMessages(before: ChatState, now: ChatState): readonly ChatMessage[] {
  // In another room, what was said there before is not told.
  if (!before.loaded || before.room !== now.room) return [];
  return Object.entries(now.conversations).flatMap(([id, conversation]) => {
    const known = before.conversations[id];
    if (conversation === undefined || conversation === known) return [];
    const lastKey = known?.messages.at(-1)?.key;
    const from = conversation.messages.findLastIndex((message) => message.key === lastKey) + 1;
    const isShorter = known !== undefined && conversation.messages.length <= known.messages.length;
    return isShorter ? [] : conversation.messages.slice(from);
  });
}

/** Transfer events that are told. */
type Milestone = "started" | "progress" | "complete" | "failed";

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
    // A person's decision is not a failure.
    if (outcome === "complete" || outcome === "failed") return outcome;
  }
  if (tray !== "moving") return null;
  // One that has moved before queues again when it resumes.
  const resumes = former?.tray === "queued" && before !== undefined && before.startedAt !== null;
  const wasOpen = former?.tray === "moving" || former?.tray === "stalled" || resumes;
  if (!wasOpen) return "started";
  return before !== undefined && quarterOf(now) > quarterOf(before) ? "progress" : null;
}
