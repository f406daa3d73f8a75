import {
  type ChatMessage,
  type Clock,
  type ConversationId,
  everyone,
  type RingingState,
  type VisitedRoom,
  type Warren,
} from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { newMessages } from "../chat/message/message-updates.ts";
import { attentionOf } from "../people/attention.ts";
import type { NotificationPress, Notifier } from "../platform/notifier.ts";
import type { SoundName } from "../platform/play-sound.ts";
import { paths } from "../wiring/paths.ts";
import { type Alert, alertFor } from "./notification-policy.ts";
import { discreetText, notificationButtons, notificationText } from "./notification-text.ts";
import { UpdateBatches } from "./update-batches.ts";
import { conversationOf, endedTransfers, senderOf, type Update } from "./updates.ts";

/** A conversation draws attention again at most this often; its notification is replaced each time. */
const attentionIntervalMs = 5_000;
/** The tag of the notification about whoever asks to join. */
const joinRequestTag = "join-request";

interface NotificationServiceDeps {
  readonly warren: Pick<Warren, "chat" | "room" | "call" | "transfers" | "settings" | "profile">;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly play: (sound: SoundName) => void;
  readonly nameOf: (clientId: ClientId) => string;
  readonly nameOfRoom: (room: VisitedRoom) => string;
  /** Shows a page of the app. */
  readonly open: (path: string) => void;
  /** Does what a person pressed; a failure is shown. */
  readonly withErrorToast: (action: () => unknown) => Promise<boolean>;
  /** Keeps a reply that could not be sent. */
  readonly keepReply: (conversation: ConversationId, text: string) => void;
  /** The page is seen again, and something was missed that notifications would have told. */
  readonly onMissed: (from: ClientId) => void;
}

const isHidden = (): boolean => document.visibilityState === "hidden";

/**
 * A notification is a tag and the last update that it is about: one for each conversation, and one for whoever asks to join.
 * It is shown while the page is not seen, and taken back once what it is about was read.
 */
export class NotificationService {
  readonly #deps: NotificationServiceDeps;
  readonly #batches: UpdateBatches;
  readonly #shown = new Map<string, Update>();
  /** When each tag last drew attention. */
  readonly #drewAttentionAtMs = new Map<string, number>();
  readonly #stops: readonly (() => void)[];
  /** Whose updates were missed last while nothing could be notified. */
  #missedFrom: ClientId | null = null;

  constructor(deps: NotificationServiceDeps) {
    this.#deps = deps;
    this.#batches = new UpdateBatches(deps.clock, (tag, updates) => this.#alert(tag, updates));
    this.#stops = [
      ...this.#followWarren(),
      this.#followPage(),
      deps.notifier.onPress((press) => this.#onPress(press)),
    ];
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#batches.close();
    for (const tag of [...this.#shown.keys()]) this.#takeBack(tag);
  }

  #followWarren(): readonly (() => void)[] {
    const { chat, room, call, transfers, profile } = this.#deps.warren;
    return [
      chat.store.subscribe((now, before) => {
        if (now.conversations !== before.conversations)
          for (const message of newMessages(before, now))
            if (message.client !== profile.get().clientId && message.type !== "call")
              this.#add({ kind: message.type === "file" ? "offer" : "message", message });
        if (now.open !== before.open || now.conversations !== before.conversations) this.#takeBackRead();
      }),
      transfers.store.subscribe((now, before) => {
        if (isHidden()) for (const update of endedTransfers(before, now)) this.#add(update);
      }),
      call.ringing.store.subscribe((now, before) => this.#onRings(now, before)),
      call.ringing.on("missed", (ring) => this.#add({ kind: "missed-call", ring })),
      room.on("approval-needed", (clientId) => this.#add({ kind: "join-request", clientId })),
      room.on("approval-over", (clientId) => this.#takeBackRequest(clientId)),
    ];
  }

  #followPage(): () => void {
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("visibilitychange", () => this.#onVisibility(), { signal });
    // A page that is gone can act on no press.
    addEventListener("pagehide", () => this.#deps.notifier.closeAll(), { signal });
    return () => listening.abort();
  }

  #add(update: Update): void {
    const { notify, sound } = this.#alertOf(update, true);
    if (notify || sound !== null) this.#batches.add(this.#tagOf(update), update);
  }

  #alert(tag: string, updates: readonly Update[]): void {
    const { notifier, play, warren } = this.#deps;
    const current = updates.filter((update) => this.#isCurrent(update));
    const last = current.at(-1);
    if (last === undefined) return;
    const isAllowed = warren.settings.get().notifications && notifier.access() === "granted";
    const { notify, sound } = this.#alertOf(last, isAllowed);
    const drawsAttention = this.#drawAttention(tag);
    if (sound !== null && drawsAttention) play(sound);
    if (notify) this.#show(tag, current, last, drawsAttention);
    else if (last.kind !== "join-request" && this.#alertOf(last, true).notify)
      this.#missedFrom = senderOf(last);
  }

  #show(tag: string, updates: readonly Update[], last: Update, isNew: boolean): void {
    const { warren, notifier, nameOf } = this.#deps;
    const { notificationContent } = warren.settings.get();
    const state = warren.chat.store.getState();
    const names = {
      ofPerson: nameOf,
      ofRoom: (conversation: ConversationId) => this.#roomNameOf(conversation),
    };
    const text = notificationContent
      ? notificationText(updates, last, state, names)
      : discreetText(last.kind);
    const path =
      last.kind === "join-request" ? paths.home.href : paths.chat.href(conversationOf(last, state));
    this.#shown.set(tag, last);
    void notifier.show({
      ...{ tag, ...text, isNew, lasts: last.kind === "call" },
      buttons: notificationButtons(last.kind, notificationContent),
      path: path.slice(1),
    });
  }

  #alertOf(update: Update, notifications: boolean): Alert {
    const { chat, settings } = this.#deps.warren;
    const state = chat.store.getState();
    const conversation = conversationOf(update, state);
    return alertFor({
      kind: update.kind,
      sight: isHidden() ? "hidden" : state.open === conversation ? "open" : "elsewhere",
      ...attentionOf(state, chat.rooms.getState(), conversation, senderOf(update)),
      notifications,
      sounds: settings.get().sounds,
    });
  }

  /** Whether a tag may draw attention now, which it then has. */
  #drawAttention(tag: string): boolean {
    const now = this.#deps.clock.elapsedMs();
    const last = this.#drewAttentionAtMs.get(tag) ?? Number.NEGATIVE_INFINITY;
    if (now - last < attentionIntervalMs) return false;
    this.#drewAttentionAtMs.set(tag, now);
    return true;
  }

  /** Not a call that has ended meanwhile, nor an offer that was accepted, declined or withdrawn. */
  #isCurrent(update: Update): boolean {
    const { call, chat } = this.#deps.warren;
    if (update.kind === "call")
      return call.ringing.store.getState().incoming.some(({ id }) => id === update.ring.id);
    if (update.kind !== "offer") return true;
    const { conversation, key }: ChatMessage = update.message;
    const { messages = [] } = chat.store.getState().conversations[conversation] ?? {};
    const message = messages.findLast((each) => each.key === key);
    return message?.type === "file" && message.offers[message.client]?.state === "offered";
  }

  #tagOf(update: Update): string {
    if (update.kind === "join-request") return joinRequestTag;
    const { store } = this.#deps.warren.chat;
    return this.#roomTagOf(conversationOf(update, store.getState()));
  }

  /** The room's conversation outlives the room under the tag of the room. */
  #roomTagOf(conversation: ConversationId): string {
    return conversation === everyone ? this.#deps.warren.chat.store.getState().room : conversation;
  }

  #conversationOfTag(tag: string): ConversationId {
    return tag === this.#deps.warren.chat.store.getState().room ? everyone : tag;
  }

  #roomNameOf(conversation: ConversationId): string {
    const { chat, profile } = this.#deps.warren;
    const roomTag = this.#roomTagOf(conversation);
    const room = chat.rooms.getState().find(({ tag }) => tag === roomTag);
    return room === undefined ? profile.get().roomId : this.#deps.nameOfRoom(room);
  }

  #onPress({ tag, action, reply }: NotificationPress): boolean {
    const { warren, withErrorToast, open } = this.#deps;
    const update = this.#shown.get(tag);
    this.#shown.delete(tag);
    if (update === undefined) return true;
    if (update.kind === "join-request") {
      if (action !== "let-in") return true;
      void withErrorToast(() => warren.room.letIn(update.clientId));
      return false;
    }
    if (action === "decline" && update.kind === "call") {
      warren.call.ringing.decline(update.ring.from);
      return false;
    }
    if (action === "accept" && update.kind === "offer") {
      void withErrorToast(() => warren.chat.acceptFile(update.message.key));
      return false;
    }
    const conversation = this.#conversationOfTag(tag);
    if (action === "reply" && reply !== null) {
      void this.#reply(conversation, reply);
      return false;
    }
    open(paths.chat.href(conversation));
    return true;
  }

  async #reply(conversation: ConversationId, text: string): Promise<void> {
    const { warren, withErrorToast, keepReply } = this.#deps;
    const { chat } = warren;
    const { open } = chat.store.getState();
    // Who answers has read.
    chat.open(conversation);
    chat.open(open);
    if (!(await withErrorToast(() => chat.sendText(conversation, text)))) keepReply(conversation, text);
  }

  #onVisibility(): void {
    if (isHidden()) return;
    this.#takeBackRead();
    if (this.#missedFrom !== null) this.#deps.onMissed(this.#missedFrom);
    this.#missedFrom = null;
  }

  #onRings({ incoming }: RingingState, before: RingingState): void {
    for (const ring of incoming)
      if (!before.incoming.some(({ id }) => id === ring.id)) this.#add({ kind: "call", ring });
    for (const [tag, update] of this.#shown)
      if (update.kind === "call" && !this.#isCurrent(update)) this.#takeBack(tag);
  }

  /** Once the page is seen. */
  #takeBackRead(): void {
    if (isHidden()) return;
    const { open, conversations } = this.#deps.warren.chat.store.getState();
    for (const [tag, update] of this.#shown) {
      const conversation = this.#conversationOfTag(tag);
      const isRead = open === conversation || (conversations[conversation]?.unread ?? 0) === 0;
      // Calls and who asks to join are shown over every page.
      if (isRead || update.kind === "join-request" || update.kind === "call") this.#takeBack(tag);
    }
  }

  #takeBackRequest(clientId: ClientId): void {
    this.#batches.discard((update) => update.kind === "join-request" && update.clientId === clientId);
    const update = this.#shown.get(joinRequestTag);
    if (update?.kind === "join-request" && update.clientId === clientId) this.#takeBack(joinRequestTag);
  }

  #takeBack(tag: string): void {
    if (this.#shown.delete(tag)) this.#deps.notifier.close(tag);
  }
}
