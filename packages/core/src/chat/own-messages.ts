import { type ClientId, limits, utf8Length, WarrenError } from "@warren/protocol";
import { randomUuid } from "../shared/ids.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { FileOffers } from "./file-offers.ts";
import { type ChatMessage, type ConversationId, everyone, messageKeyOf } from "./message.ts";
import type { MessageLog } from "./message-log.ts";
import type { Outbox } from "./outbox.ts";
import type { OwnFiles } from "./own-files.ts";
import { isStarter } from "./starter.ts";

interface OwnMessagesDeps
  extends Pick<ChatDeps, "selfId" | "room" | "library" | "drawThumbnail" | "options" | "clock"> {
  readonly messages: MessageLog;
  readonly outbox: Outbox;
  readonly files: FileOffers;
}

/** Writes our own messages: who gets them, what they say, and that they are durable before they go out. */
export class OwnMessages {
  readonly #deps: OwnMessagesDeps;
  #files: OwnFiles | null = null;

  constructor(deps: OwnMessagesDeps) {
    this.#deps = deps;
  }

  /** Who a conversation reaches now. @throws WarrenError `no-session` for everyone with nobody there. */
  recipients(conversation: ConversationId): readonly ClientId[] {
    if (isStarter(conversation)) throw new WarrenError("no-session", { id: conversation });
    if (conversation !== everyone) return [conversation];
    const present = this.#deps.room.readyPeers();
    if (present.length === 0) throw new WarrenError("no-session", { id: everyone });
    return present;
  }

  async sendText(conversation: ConversationId, text: string): Promise<void> {
    const sizeBytes = utf8Length(text);
    if (sizeBytes > limits.textBytes) {
      throw new WarrenError("frame-too-large", { sizeBytes, limitBytes: limits.textBytes });
    }
    const recipients = this.recipients(conversation);
    await this.#post({ ...this.#head(conversation, recipients), type: "text", data: text });
  }

  /** What offers files, which is loaded when there is somebody to offer them to. */
  async files(): Promise<OwnFiles> {
    const { OwnFiles } = await import("./own-files.ts");
    this.#files ??= new OwnFiles({
      ...this.#deps,
      recipients: (conversation) => this.recipients(conversation),
      post: (conversation, recipients, body) =>
        this.#post({ ...this.#head(conversation, recipients), ...body }),
    });
    return this.#files;
  }

  async #post(message: ChatMessage): Promise<void> {
    await this.#deps.messages.add(message, { read: true });
    this.#deps.outbox.deliver(message);
  }

  #head(conversation: ConversationId, recipients: readonly ClientId[]) {
    const id = randomUuid();
    return {
      key: messageKeyOf(this.#deps.selfId, id),
      id,
      conversation,
      client: this.#deps.selfId,
      createdAt: this.#deps.clock.now(),
      sortedAt: this.#deps.messages.nextSortedAt(),
      deliveries: Object.fromEntries(recipients.map((peer) => [peer, { status: "sending" as const }])),
    };
  }
}
