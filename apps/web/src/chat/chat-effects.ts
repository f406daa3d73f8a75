import {
  type ChatMessage,
  type ChatState,
  peersOf,
  type TextMessage,
  type TransferSnapshot,
  type TransferSnapshots,
} from "@warren/core";
import { type ClientId, contentSizeOf, truncated } from "@warren/protocol";
import { useEffect } from "react";
import { outcomeOf } from "../file-state/file-state.ts";
import { type Milestone, milestoneOf } from "../file-state/transfer-milestone.ts";
import { treeName } from "../files/tree/tree-name.ts";
import { translate } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { firstNameOf, shownName } from "../people/shown-name.ts";
import { useNameOf } from "../people/use-person.ts";
import { oneLine } from "../ui/text/one-line.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { toast } from "../wiring/toast.ts";
import { useCopyText } from "../wiring/use-copy-text.ts";
import { useWarren } from "../wiring/warren-context.ts";
import { withErrorToast } from "../wiring/with-error-toast.ts";
import {
  announceCancelled,
  announceDeclined,
  announceDeleted,
  announceEdited,
  announceFailure,
  announceMessage,
  announceNotSent,
  announceOffer,
  announceProgress,
  announceReaction,
  announceReceived,
  announceSent,
  announceStart,
} from "./message/announcements.ts";
import { deliverySummary } from "./message/delivery.ts";
import { messageLine, textLine } from "./message/message-line.ts";
import { changedMessages, newMessages } from "./message/message-updates.ts";
import { canAllowClipboard, useAllowClipboard } from "./message/use-allow-clipboard.ts";

/** Long enough to read the toast and reach its button. */
const clipboardToastMs = 12_000;

/** The time for which the server lets whoever asks to join wait for an answer. */
const joinRequestToastMs = 60_000;

/**
 * Reports the events of the room: received clipboard text and join requests as toasts, everything else to
 * screen readers. Renders nothing; rendered once.
 */
export function ChatEffects() {
  useClipboardToasts();
  useJoinRequestToasts();
  useMessageAnnouncements();
  useTransferAnnouncements();
  return null;
}

function useClipboardToasts(): void {
  const t = useT();
  const { chat, room, settings } = useWarren();
  const { writeClipboard } = usePlatform();
  const nameOf = useNameOf();
  const copyText = useCopyText();
  const allow = useAllowClipboard();
  useEffect(() => {
    const offer = (from: string, name: string, text: string): void => {
      // Strangers are not to take the screen; the conversation has their texts.
      const contact = chat.store.getState().contacts[from];
      if (contact?.nearby && !contact.accepted) return;
      const peer = peersOf(room.store.getState())[from];
      const canAllow = canAllowClipboard({ contact, peer }, settings.get());
      toast.info(t("toast.clipboardFrom", { name }), {
        // Only the newest text per peer is shown; the conversation has the others.
        id: `clipboard/${from}`,
        quote: oneLine(text),
        durationMs: clipboardToastMs,
        action: { label: t("common.copy"), onClick: () => void copyText(text) },
        ...(canAllow && {
          cancel: {
            label: t("conversation.clipboardAllowed", { name }),
            onClick: () => void allow(from, text),
          },
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
          quote: oneLine(text),
        });
      } else if (chat.store.getState().open !== conversation) offer(from, name, text);
    };
    return chat.on("clipboard", (...received) => void receive(...received));
  }, [t, chat, room, settings, writeClipboard, nameOf, copyText, allow]);
}

/** Asks whether somebody may enter, after so many wrong passwords that somebody may be guessing. */
function useJoinRequestToasts(): void {
  const t = useT();
  const { room, chat, profile } = useWarren();
  useEffect(() => {
    const toastOf = (clientId: ClientId) => `join-request/${clientId}`;
    const ask = (clientId: ClientId): void => {
      const { contacts } = chat.store.getState();
      // Without a proven key anyone can use a known id.
      const known = contacts[clientId]?.proven
        ? shownName(clientId, contacts, profile.get().name)
        : undefined;
      toast.warning(t("joinRequest.title", { name: known ?? t("people.someone") }), {
        id: toastOf(clientId),
        description: t("joinRequest.why"),
        durationMs: joinRequestToastMs,
        action: {
          label: t("joinRequest.letIn"),
          onClick: () => void withErrorToast(() => room.letIn(clientId)),
        },
      });
    };
    const stops = [
      room.on("approval-needed", ask),
      room.on("approval-over", (clientId) => toast.dismiss(toastOf(clientId))),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [t, room, chat, profile]);
}

/** How much of a text in the open conversation is read out; the log has the rest. */
const readOutLength = 1_000;

/** Announces of messages, of offers, of what others decided about a file, and of what was not sent. */
function useMessageAnnouncements(): void {
  const t = useT();
  const { chat, profile } = useWarren();
  const nameOf = useNameOf();
  useEffect(() => {
    const announce = (message: ChatMessage, open: string | null): void => {
      const { client, key } = message;
      // Of a missed call its toast tells.
      if (client === profile.get().clientId || message.type === "call") return;
      const name = nameOf(client);
      if (message.type === "file") {
        const { fid } = message.file;
        const file = treeName(message.file, t);
        announceOffer(fileSubject(client, fid), { name, file, sizeBytes: contentSizeOf(message.file) });
      } else {
        const isReadOut = message.conversation === open && !message.deleted && !message.clipboard;
        announceMessage(key, {
          name,
          text: isReadOut ? truncated(message.data, readOutLength) : textLine(message, t),
        });
      }
    };
    const announceNew = (now: ChatState, before: ChatState): void => {
      if (now.conversations === before.conversations) return;
      for (const message of newMessages(before, now)) announce(message, now.open);
      for (const [was, message] of changedMessages(before, now)) announceChange(was, message, nameOf);
    };
    return chat.store.subscribe(announceNew);
  }, [t, chat, profile, nameOf]);
}

/** The subject of what is announced of one file and person: only its last event in a moment. */
function fileSubject(peer: string, fid: string): string {
  return `${peer}/${fid}`;
}

function useTransferAnnouncements(): void {
  const { transfers } = useWarren();
  const nameOf = useNameOf();
  useEffect(() => {
    const announceMilestones = (now: TransferSnapshots, before: TransferSnapshots): void => {
      for (const transfer of now.values()) {
        const former = before.get(transfer.key);
        const milestone = former === transfer ? null : milestoneOf(former, transfer);
        if (milestone !== null) announceMilestone(milestone, transfer, firstNameOf(nameOf(transfer.peerId)));
      }
    };
    return transfers.store.subscribe(announceMilestones);
  }, [transfers, nameOf]);
}

function announceMilestone(milestone: Milestone, transfer: TransferSnapshot, name: string): void {
  const subject = fileSubject(transfer.peerId, transfer.fid);
  const about = { name, file: transfer.fileName };
  switch (milestone) {
    case "started":
      announceStart(subject, about);
      break;
    case "progress":
      announceProgress(subject, transfer);
      break;
    case "complete":
      (transfer.mode === "receive" ? announceReceived : announceSent)(subject, about);
      break;
    case "failed":
      announceFailure(subject, about);
  }
}

const isNotSent = (message: ChatMessage): boolean => deliverySummary(message).status === "error";

/** Announces what another person decided about a file, and which of my messages was not sent. */
function announceChange(was: ChatMessage, message: ChatMessage, nameOf: (id: ClientId) => string): void {
  if (isNotSent(message) && !isNotSent(was)) {
    announceNotSent(message.key, messageLine(message, translate));
  }
  announceNewReactions(was, message, nameOf);
  if (was.type !== "file" || message.type !== "file") {
    announceTextChange(was, message, nameOf);
    return;
  }
  for (const [peer, offer] of Object.entries(message.offers)) {
    const isMine = message.client !== peer;
    const outcome = outcomeOf(offer, isMine);
    if (outcomeOf(was.offers[peer], isMine) === outcome) continue;
    const about = { name: firstNameOf(nameOf(peer)), file: treeName(message.file, translate) };
    const subject = fileSubject(peer, message.file.fid);
    if (outcome === "cancelledThere") announceCancelled(subject, about);
    // What I declined myself is not told.
    else if (outcome === "declined" && isMine) announceDeclined(subject, about);
  }
}

/** Announces of others' reactions to a message of mine. */
function announceNewReactions(
  was: ChatMessage,
  message: ChatMessage,
  nameOf: (id: ClientId) => string,
): void {
  if (was.reactions === message.reactions || Object.keys(message.deliveries).length === 0) return;
  for (const [by, { emoji }] of Object.entries(message.reactions ?? {})) {
    if (by === message.client || was.reactions?.[by]?.emoji === emoji) continue;
    const added = emoji.find((each) => !was.reactions?.[by]?.emoji.includes(each));
    if (added !== undefined) announceReaction(`${message.key}/${by}`, { name: nameOf(by), emoji: added });
  }
}

/** Announces that another person edited or deleted a text. */
function announceTextChange(was: ChatMessage, message: ChatMessage, nameOf: (id: ClientId) => string): void {
  if (was.type !== "text" || message.type !== "text" || Object.keys(message.deliveries).length > 0) return;
  const name = nameOf(message.client);
  if (message.deleted && !was.deleted) announceDeleted(message.key, { name });
  else if (message.edited !== was.edited) announceEdited(message.key, { name, text: oneLine(message.data) });
}
