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
import { milestoneOf, newMessages } from "../chat/chat-news.tsx";
import { textLine } from "../chat/message/message-subject.ts";
import { treeName } from "../files/tree/tree-name.ts";
import { formatFor } from "../i18n/format.ts";
import { currentLocale, translate } from "../i18n/i18n.ts";
import { attentionOf } from "../people/attention.ts";
import { firstNameOf } from "../people/shown-name.ts";
import type { NotePress, NotificationButton, Notifier } from "../platform/notifier.ts";
import type { SoundName } from "../platform/play-sound.ts";
import { paths } from "../wiring/paths.ts";
import { type Alert, alertFor, type NewsKind } from "./alert-policy.ts";

/** News of one conversation within this time are one: a file that is accepted unasked is no offer, and many are one sentence. */
const gatheredMs = 500;
/** A conversation draws attention again at most this often; its notification is replaced each time. */
const drawsEveryMs = 5_000;
/** The notification about whoever waits at the door. */
const doorTag = "door";

type News =
  | { readonly kind: "message" | "offer"; readonly message: ChatMessage }
  | { readonly kind: "received" | "sent" | "failed"; readonly transfer: TransferSnapshot }
  | { readonly kind: "call" | "missed-call"; readonly ring: IncomingRing }
  | { readonly kind: "newcomer"; readonly clientId: ClientId };

interface FollowNewsDeps {
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

/** Tells of news while they are not seen, and takes it back once they are. @returns a function that ends this. */
export function followNews(deps: FollowNewsDeps): () => void {
  const { warren, notifier, clock, play } = deps;
  const { chat, room, call, transfers, settings, profile } = warren;
  const waiting = new Map<string, News[]>();
  /** What the notification of each tag is about. */
  const shown = new Map<string, News>();
  /** When each tag last drew attention. */
  const drewAtMs = new Map<string, number>();
  const timers = new Set<() => void>();
  let missedFrom: ClientId | null = null;

  const isHidden = () => document.visibilityState === "hidden";
  const placeOf = (id: ConversationId) => (id === everyone ? chat.store.getState().room : id);
  const nowAt = (place: ConversationId) => (place === chat.store.getState().room ? everyone : place);
  const tagOf = (news: News) => (news.kind === "newcomer" ? doorTag : placeOf(conversationOf(news)));

  function conversationOf(news: Exclude<News, { kind: "newcomer" }>): ConversationId {
    if ("message" in news) return news.message.conversation;
    if ("ring" in news) return news.ring.toRoom ? everyone : news.ring.from;
    return conversationOfTransfer(chat.store.getState(), news.transfer);
  }

  function alertOf(news: News, notifications: boolean): Alert {
    const state = chat.store.getState();
    const from = fromOf(news);
    const conversation = news.kind === "newcomer" ? everyone : conversationOf(news);
    return alertFor({
      kind: news.kind,
      sight: isHidden() ? "hidden" : state.open === conversation ? "open" : "elsewhere",
      ...attentionOf(state, chat.rooms.getState(), conversation, from),
      notifications,
      sounds: settings.get().sounds,
    });
  }

  function add(news: News): void {
    const { notify, sound } = alertOf(news, true);
    if (!notify && sound === null) return;
    const tag = tagOf(news);
    const gathered = waiting.get(tag);
    if (gathered) {
      gathered.push(news);
      return;
    }
    waiting.set(tag, [news]);
    timers.add(clock.after(gatheredMs, () => tell(tag)));
  }

  function tell(tag: string): void {
    const gathered = (waiting.get(tag) ?? []).filter(isStillNews);
    waiting.delete(tag);
    const news = gathered.at(-1);
    if (news === undefined) return;
    const isAllowed = settings.get().notifications && notifier.access() === "granted";
    const { notify, sound } = alertOf(news, isAllowed);
    const now = clock.elapsedMs();
    const draws = now - (drewAtMs.get(tag) ?? Number.NEGATIVE_INFINITY) >= drawsEveryMs;
    if (draws) drewAtMs.set(tag, now);
    if (sound !== null && draws) play(sound);
    if (!notify) {
      if (alertOf(news, true).notify && news.kind !== "newcomer") missedFrom = fromOf(news);
      return;
    }
    shown.set(tag, news);
    const isContentShown = settings.get().notificationContent;
    const words = isContentShown ? wordsOf(gathered, news) : discreetWords(news.kind);
    void notifier.show({
      ...{ tag, ...words, isNew: draws, lasts: news.kind === "call" },
      buttons: buttonsOf(news, isContentShown),
      path: pathOf(news).slice(1),
    });
  }

  /** An offer that was accepted, declined or withdrawn meanwhile is told of no more. */
  function isStillNews(news: News): boolean {
    if (news.kind === "call")
      return call.ringing.store.getState().incoming.some(({ id }) => id === news.ring.id);
    if (news.kind !== "offer") return true;
    const message = messageNow(news.message);
    return message?.type === "file" && message.offers[message.client]?.state === "offered";
  }

  function messageNow({ conversation, key }: ChatMessage): ChatMessage | undefined {
    const { messages = [] } = chat.store.getState().conversations[conversation] ?? {};
    return messages.findLast((message) => message.key === key);
  }

  const pathOf = (news: News) =>
    news.kind === "newcomer" ? paths.home.href : paths.chat.href(conversationOf(news));

  function wordsOf(gathered: readonly News[], news: News): { title: string; body: string } {
    if (news.kind === "newcomer") {
      const known = chat.store.getState().contacts[news.clientId]?.proven;
      const name = known ? deps.nameOf(news.clientId) : translate("people.someone");
      return { title: roomNameOf(everyone), body: translate("door.knock", { name }) };
    }
    const conversation = conversationOf(news);
    const name = deps.nameOf(fromOf(news));
    const title = isRoomConversation(conversation)
      ? translate("notification.inRoom", { name, room: roomNameOf(conversation) })
      : name;
    const alike = gathered.filter(({ kind }) => kind === news.kind);
    return { title, body: bodyOf(news, alike.length, firstNameOf(name)) };
  }

  function roomNameOf(conversation: ConversationId): string {
    const place = placeOf(conversation);
    const kept = chat.rooms.getState().find(({ tag }) => tag === place);
    return kept === undefined ? profile.get().roomId : deps.nameOfRoom(kept);
  }

  function buttonsOf(news: News, isContentShown: boolean): readonly NotificationButton[] {
    const reply = {
      action: "reply",
      title: translate("notification.reply"),
      placeholder: translate("notification.replyPlaceholder"),
    };
    switch (news.kind) {
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
    const news = shown.get(tag);
    shown.delete(tag);
    if (news === undefined) return true;
    if (action === "let-in" && news.kind === "newcomer") {
      void deps.run(() => room.letIn(news.clientId));
      return false;
    }
    if (action === "decline" && news.kind === "call") {
      call.ringing.decline(news.ring.from);
      return false;
    }
    if (action === "accept" && news.kind === "offer") {
      void deps.run(() => chat.acceptFile(news.message.key));
      return false;
    }
    if (action === "reply" && reply !== null && news.kind !== "newcomer") {
      void answer(nowAt(tag), reply);
      return false;
    }
    if (news.kind !== "newcomer") deps.open(paths.chat.href(nowAt(tag)));
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
    for (const [tag, news] of shown) {
      const conversation = nowAt(tag);
      const isSeen = open === conversation || (conversations[conversation]?.unread ?? 0) === 0;
      // Newcomers and calls are shown over every page.
      if (isSeen || news.kind === "newcomer" || news.kind === "call") close(tag);
    }
  }

  function close(tag: string): void {
    if (shown.delete(tag)) notifier.close(tag);
  }

  function onRings(): void {
    const { incoming } = call.ringing.store.getState();
    for (const ring of incoming) if (!rings.has(ring.id)) add({ kind: "call", ring });
    rings = new Set(incoming.map(({ id }) => id));
    for (const [tag, news] of shown) if (news.kind === "call" && !rings.has(news.ring.id)) close(tag);
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
      if (isHidden()) for (const news of endedBetween(before, now)) add(news);
    }),
    call.ringing.store.subscribe(onRings),
    call.ringing.on("missed", (ring) => add({ kind: "missed-call", ring })),
    room.on("approval-needed", (clientId) => add({ kind: "newcomer", clientId })),
    room.on("approval-over", (clientId) => {
      const others = waiting.get(doorTag)?.filter((news) => fromOf(news) !== clientId);
      if (others !== undefined) waiting.set(doorTag, others);
      const news = shown.get(doorTag);
      if (news?.kind === "newcomer" && news.clientId === clientId) close(doorTag);
    }),
    notifier.onPress(onPress),
  ];
  return () => {
    listening.abort();
    for (const stop of [...stops, ...timers]) stop();
    for (const tag of [...shown.keys()]) close(tag);
  };
}

function fromOf(news: News): ClientId {
  if ("message" in news) return news.message.client;
  if ("ring" in news) return news.ring.from;
  return "transfer" in news ? news.transfer.peerId : news.clientId;
}

/** The transfers that ended between two states. */
function endedBetween(before: TransferSnapshots, now: TransferSnapshots): readonly News[] {
  return [...now.values()].flatMap((transfer): readonly News[] => {
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

function bodyOf(news: Exclude<News, { kind: "newcomer" }>, count: number, name: string): string {
  switch (news.kind) {
    case "message":
    case "offer": {
      const { message } = news;
      if (message.type === "text") return textLine(message, translate);
      const size = formatFor(currentLocale()).size(contentSizeOf(message.file));
      return translate("notification.offer", { file: treeName(message.file, translate), size });
    }
    case "received":
    case "sent":
    case "failed":
      return count > 1
        ? translate(`notification.${news.kind}Many`, { count })
        : translate(`notification.${news.kind}`, { file: news.transfer.fileName });
    case "call":
      return translate(
        news.ring.toRoom ? "call.ring.everyone" : news.ring.video ? "call.ring.video" : "call.ring.voice",
        { name },
      );
    case "missed-call":
      return translate("call.ring.missed", { name });
  }
}

/** Names neither a person nor what they sent. */
function discreetWords(kind: NewsKind): { title: string; body: string } {
  return { title: translate("title.app"), body: translate(`notification.discreet.${kind}`) };
}
