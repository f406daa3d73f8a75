import {
  type ChatMessage,
  type ChatState,
  type Clock,
  type ConversationId,
  everyone,
  type IncomingRing,
  isRoomConversation,
  type KeptRoom,
  type TransferSnapshot,
  type TransferSnapshots,
  type Warren,
} from "@warren/core";
import { type ClientId, contentSizeOf } from "@warren/protocol";
import { milestoneOf, newMessages } from "../chat/chat-announcements.tsx";
import { textLine } from "../chat/message/message-subject.ts";
import { treeName } from "../files/tree/tree-name.ts";
import { formatFor } from "../i18n/format.ts";
import { currentLocale, translate } from "../i18n/i18n.ts";
import { attentionOf } from "../people/attention.ts";
import { firstNameOf } from "../people/shown-name.ts";
import type { NotePress, NotificationButton, Notifier } from "../platform/notifier.ts";
import type { SoundName } from "../platform/play-sound.ts";
import { paths } from "../wiring/paths.ts";
import { type Alert, alertFor, type UpdateKind } from "./notification-policy.ts";

/** Updates of one conversation within this time are one: a file that is accepted unasked is no offer, and many are one sentence. */
const gatheredMs = 500;
/** A conversation draws attention again at most this often; its notification is replaced each time. */
const drawsEveryMs = 5_000;
/** The notification about whoever waits at the door. */
const doorTag = "door";

type Update =
  | { readonly kind: "message" | "offer"; readonly message: ChatMessage }
  | { readonly kind: "received" | "sent" | "failed"; readonly transfer: TransferSnapshot }
  | { readonly kind: "call" | "missed-call"; readonly ring: IncomingRing }
  | { readonly kind: "newcomer"; readonly clientId: ClientId };

interface NotificationsDeps {
  readonly warren: Pick<Warren, "chat" | "room" | "call" | "transfers" | "settings" | "profile">;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly play: (sound: SoundName) => void;
  readonly nameOf: (clientId: ClientId) => string;
  readonly nameOfRoom: (room: KeptRoom) => string;
  /** Shows a page of the app. */
  readonly open: (path: string) => void;
  /** Does what a person pressed; a failure is shown. */
  readonly run: (action: () => unknown) => Promise<boolean>;
  /** Keeps a reply that could not be sent. */
  readonly keepReply: (conversation: ConversationId, text: string) => void;
  /** The page is seen again, and something was missed that notifications would have told. */
  readonly onMissed: (from: ClientId) => void;
}

/** Tells of updates while they are not seen, and withdraws what it told once they are. @returns a function that ends this. */
export function startNotifications(deps: NotificationsDeps): () => void {
  const { warren, notifier, clock, play } = deps;
  const { chat, room, call, transfers, settings, profile } = warren;
  const waiting = new Map<string, Update[]>();
  /** What the notification of each tag is about. */
  const shown = new Map<string, Update>();
  /** When each tag last drew attention. */
  const drewAtMs = new Map<string, number>();
  const timers = new Set<() => void>();
  let missedFrom: ClientId | null = null;

  const isHidden = () => document.visibilityState === "hidden";
  const stableIdOf = (id: ConversationId) => (id === everyone ? chat.store.getState().room : id);
  const conversationOfId = (stableId: ConversationId) =>
    stableId === chat.store.getState().room ? everyone : stableId;
  const tagOf = (update: Update) =>
    update.kind === "newcomer" ? doorTag : stableIdOf(conversationOf(update));

  function conversationOf(update: Exclude<Update, { kind: "newcomer" }>): ConversationId {
    if ("message" in update) return update.message.conversation;
    if ("ring" in update) return update.ring.toRoom ? everyone : update.ring.from;
    return conversationOfTransfer(chat.store.getState(), update.transfer);
  }

  function alertOf(update: Update, notifications: boolean): Alert {
    const state = chat.store.getState();
    const from = fromOf(update);
    const conversation = update.kind === "newcomer" ? everyone : conversationOf(update);
    return alertFor({
      kind: update.kind,
      sight: isHidden() ? "hidden" : state.open === conversation ? "open" : "elsewhere",
      ...attentionOf(state, chat.rooms.getState(), conversation, from),
      notifications,
      sounds: settings.get().sounds,
    });
  }

  function add(update: Update): void {
    const { notify, sound } = alertOf(update, true);
    if (!notify && sound === null) return;
    const tag = tagOf(update);
    const gathered = waiting.get(tag);
    if (gathered) {
      gathered.push(update);
      return;
    }
    waiting.set(tag, [update]);
    timers.add(clock.after(gatheredMs, () => tell(tag)));
  }

  function tell(tag: string): void {
    const gathered = (waiting.get(tag) ?? []).filter(isStillCurrent);
    waiting.delete(tag);
    const update = gathered.at(-1);
    if (update === undefined) return;
    const isAllowed = settings.get().notifications && notifier.access() === "granted";
    const { notify, sound } = alertOf(update, isAllowed);
    const now = clock.elapsedMs();
    const draws = now - (drewAtMs.get(tag) ?? Number.NEGATIVE_INFINITY) >= drawsEveryMs;
    if (draws) drewAtMs.set(tag, now);
    if (sound !== null && draws) play(sound);
    if (!notify) {
      if (alertOf(update, true).notify && update.kind !== "newcomer") missedFrom = fromOf(update);
      return;
    }
    shown.set(tag, update);
    const isContentShown = settings.get().notificationContent;
    const words = isContentShown ? wordsOf(gathered, update) : discreetWords(update.kind);
    void notifier.show({
      ...{ tag, ...words, isNew: draws, lasts: update.kind === "call" },
      buttons: buttonsOf(update, isContentShown),
      path: pathOf(update).slice(1),
    });
  }

  /** An offer that was accepted, declined or withdrawn meanwhile is told of no more. */
  function isStillCurrent(update: Update): boolean {
    if (update.kind === "call")
      return call.ringing.store.getState().incoming.some(({ id }) => id === update.ring.id);
    if (update.kind !== "offer") return true;
    const message = messageNow(update.message);
    return message?.type === "file" && message.offers[message.client]?.state === "offered";
  }

  function messageNow({ conversation, key }: ChatMessage): ChatMessage | undefined {
    const { messages = [] } = chat.store.getState().conversations[conversation] ?? {};
    return messages.findLast((message) => message.key === key);
  }

  const pathOf = (update: Update) =>
    update.kind === "newcomer" ? paths.home.href : paths.chat.href(conversationOf(update));

  function wordsOf(gathered: readonly Update[], update: Update): { title: string; body: string } {
    if (update.kind === "newcomer") {
      const known = chat.store.getState().contacts[update.clientId]?.proven;
      const name = known ? deps.nameOf(update.clientId) : translate("people.someone");
      return { title: roomNameOf(everyone), body: translate("door.knock", { name }) };
    }
    const conversation = conversationOf(update);
    const name = deps.nameOf(fromOf(update));
    const title = isRoomConversation(conversation)
      ? translate("notification.inRoom", { name, room: roomNameOf(conversation) })
      : name;
    const alike = gathered.filter(({ kind }) => kind === update.kind);
    return { title, body: bodyOf(update, alike.length, firstNameOf(name)) };
  }

  function roomNameOf(conversation: ConversationId): string {
    const stableId = stableIdOf(conversation);
    const kept = chat.rooms.getState().find(({ tag }) => tag === stableId);
    return kept === undefined ? profile.get().roomId : deps.nameOfRoom(kept);
  }

  function buttonsOf(update: Update, isContentShown: boolean): readonly NotificationButton[] {
    const reply = {
      action: "reply",
      title: translate("notification.reply"),
      placeholder: translate("notification.replyPlaceholder"),
    };
    switch (update.kind) {
      case "message":
        return [reply];
      case "offer":
        // Nobody accepts what is not named.
        return isContentShown ? [{ action: "accept", title: translate("file.keepHere") }, reply] : [];
      case "call":
        return [{ action: "decline", title: translate("call.ring.decline") }];
      case "newcomer":
        return isContentShown ? [{ action: "let-in", title: translate("door.letIn") }] : [];
      default:
        return [];
    }
  }

  function onPress({ tag, action, reply }: NotePress): boolean {
    const update = shown.get(tag);
    shown.delete(tag);
    if (update === undefined) return true;
    if (action === "let-in" && update.kind === "newcomer") {
      void deps.run(() => room.letIn(update.clientId));
      return false;
    }
    if (action === "decline" && update.kind === "call") {
      call.ringing.decline(update.ring.from);
      return false;
    }
    if (action === "accept" && update.kind === "offer") {
      void deps.run(() => chat.acceptFile(update.message.key));
      return false;
    }
    if (action === "reply" && reply !== null && update.kind !== "newcomer") {
      void answer(conversationOfId(tag), reply);
      return false;
    }
    if (update.kind !== "newcomer") deps.open(paths.chat.href(conversationOfId(tag)));
    return true;
  }

  async function answer(conversation: ConversationId, reply: string): Promise<void> {
    const { open } = chat.store.getState();
    // Who answers has read.
    chat.open(conversation);
    chat.open(open);
    if (!(await deps.run(() => chat.sendText(conversation, reply)))) deps.keepReply(conversation, reply);
  }

  function onSight(): void {
    if (isHidden()) return;
    closeRead();
    if (missedFrom !== null) deps.onMissed(missedFrom);
    missedFrom = null;
  }

  /** Takes notifications back that are about what was read, once the page is seen. */
  function closeRead(): void {
    if (isHidden()) return;
    const { open, conversations } = chat.store.getState();
    for (const [tag, update] of shown) {
      const conversation = conversationOfId(tag);
      const isSeen = open === conversation || (conversations[conversation]?.unread ?? 0) === 0;
      // Newcomers and calls are shown over every page.
      if (isSeen || update.kind === "newcomer" || update.kind === "call") close(tag);
    }
  }

  function close(tag: string): void {
    if (shown.delete(tag)) notifier.close(tag);
  }

  function onRings(): void {
    const { incoming } = call.ringing.store.getState();
    for (const ring of incoming) if (!rings.has(ring.id)) add({ kind: "call", ring });
    rings = new Set(incoming.map(({ id }) => id));
    for (const [tag, update] of shown) if (update.kind === "call" && !rings.has(update.ring.id)) close(tag);
  }
  let rings: ReadonlySet<string> = new Set(call.ringing.store.getState().incoming.map(({ id }) => id));

  const listening = new AbortController();
  document.addEventListener("visibilitychange", onSight, { signal: listening.signal });
  // A page that is gone can act on no press.
  addEventListener("pagehide", () => notifier.closeAll(), { signal: listening.signal });
  const stops = [
    chat.store.subscribe((now, before) => {
      if (now.conversations !== before.conversations)
        for (const message of newMessages(before, now))
          if (message.client !== profile.get().clientId)
            add({ kind: message.type === "file" ? "offer" : "message", message });
      if (now.open !== before.open || now.conversations !== before.conversations) closeRead();
    }),
    transfers.store.subscribe((now, before) => {
      if (isHidden()) for (const update of endedBetween(before, now)) add(update);
    }),
    call.ringing.store.subscribe(onRings),
    call.ringing.on("missed", (ring) => add({ kind: "missed-call", ring })),
    room.on("approval-needed", (clientId) => add({ kind: "newcomer", clientId })),
    room.on("approval-over", (clientId) => {
      const others = waiting.get(doorTag)?.filter((update) => fromOf(update) !== clientId);
      if (others !== undefined) waiting.set(doorTag, others);
      const update = shown.get(doorTag);
      if (update?.kind === "newcomer" && update.clientId === clientId) close(doorTag);
    }),
    notifier.onPress(onPress),
  ];
  return () => {
    listening.abort();
    for (const stop of [...stops, ...timers]) stop();
    for (const tag of [...shown.keys()]) close(tag);
  };
}

function fromOf(update: Update): ClientId {
  if ("message" in update) return update.message.client;
  if ("ring" in update) return update.ring.from;
  return "transfer" in update ? update.transfer.peerId : update.clientId;
}

/** The transfers that ended between two states. */
function endedBetween(before: TransferSnapshots, now: TransferSnapshots): readonly Update[] {
  return [...now.values()].flatMap((transfer): readonly Update[] => {
    const former = before.get(transfer.key);
    const milestone = former === transfer ? null : milestoneOf(former, transfer);
    if (milestone === "failed") return [{ kind: "failed", transfer }];
    if (milestone !== "complete") return [];
    return [{ kind: transfer.mode === "receive" ? "received" : "sent", transfer }];
  });
}

/** The conversation with the last message about a transfer's file; that of the peer if none is in memory. */
function conversationOfTransfer(
  { conversations }: ChatState,
  { fid, peerId }: TransferSnapshot,
): ConversationId {
  const isAbout = (message: ChatMessage): boolean =>
    message.type === "file" && message.file.fid === fid && Object.hasOwn(message.offers, peerId);
  if (conversations[peerId]?.messages.some(isAbout)) return peerId;
  const found = Object.entries(conversations).find(([, conversation]) =>
    conversation?.messages.some(isAbout),
  );
  return found?.[0] ?? peerId;
}

function bodyOf(update: Exclude<Update, { kind: "newcomer" }>, count: number, name: string): string {
  switch (update.kind) {
    case "message":
    case "offer": {
      const { message } = update;
      if (message.type === "text") return textLine(message, translate);
      const size = formatFor(currentLocale()).size(contentSizeOf(message.file));
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
function discreetWords(kind: UpdateKind): { title: string; body: string } {
  return { title: translate("title.app"), body: translate(`notification.discreet.${kind}`) };
}
