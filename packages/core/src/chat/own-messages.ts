import {
  type ClientId,
  type FileDescription,
  type FileId,
  limits,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import type { ComposedTree } from "../files/compose-tree.ts";
import type { PickedTree } from "../files/picked-tree.ts";
import { randomUuid } from "../shared/ids.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { FileMessages } from "./file-messages.ts";
import {
  type ChatMessage,
  type ConversationId,
  everyone,
  type FileMessage,
  messageKeyOf,
} from "./message.ts";
import type { MessageLog } from "./message-log.ts";
import type { Outbox } from "./outbox.ts";
import { isStarter } from "./starter.ts";

interface OwnMessagesDeps extends Pick<ChatDeps, "selfId" | "room" | "library" | "options" | "clock"> {
  readonly messages: MessageLog;
  readonly outbox: Outbox;
}

/** Writes our own messages: who gets them, what they say, and that they are durable before they go out. */
export class OwnMessages {
  readonly #deps: OwnMessagesDeps;
  readonly #files: FileMessages;

  constructor(deps: OwnMessagesDeps) {
    this.#deps = deps;
    this.#files = new FileMessages(deps.selfId, deps.messages);
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

  async sendFile(conversation: ConversationId, file: File): Promise<void> {
    this.#checkSize(file.size);
    await this.#offerPicked(conversation, file);
  }

  async forwardFile(conversation: ConversationId, fid: FileId): Promise<void> {
    const file = this.#deps.library.completeFile(fid);
    this.#checkSize(file.fileSize);
    await this.#offer(conversation, file);
  }

  async sendTree(conversation: ConversationId, picked: PickedTree): Promise<void> {
    this.#checkSize(picked.files.reduce((sum, { file }) => sum + file.size, 0));
    const { composeTree } = await import("../files/compose-tree.ts");
    const tree = await composeTree(picked);
    await this.#offerPicked(conversation, tree.stream, tree);
  }

  #checkSize(sizeBytes: number): void {
    const { maxFileSize: limitBytes } = this.#deps.options();
    if (sizeBytes > limitBytes) throw new WarrenError("file-too-large", { sizeBytes, limitBytes });
  }

  /** Offers what was picked. What the recipients are just being sent, or have yet to accept, joins that. */
  async #offerPicked(conversation: ConversationId, stream: File, tree?: ComposedTree): Promise<void> {
    const recipients = this.recipients(conversation);
    const sample = await sampleIfLoaded(stream);
    const like = sample === null ? null : { stream, sample, tree: tree?.summary };
    const first = like ? this.#files.underWay(recipients, like) : undefined;
    const isAtHand = first !== undefined && this.#deps.library.sourceOf(first.file.fid) !== null;
    const { library, options } = this.#deps;
    const file = isAtHand ? first.file : library.addSource(stream, options().chunkSize, tree?.summary);
    await this.#offer(conversation, file, {
      ...(typeof tree?.manifest === "string" && { manifest: tree.manifest }),
      ...(sample !== null && { sample }),
      ...(isAtHand && { transfers: first.transfers }),
    });
  }

  async #offer(
    conversation: ConversationId,
    file: FileDescription,
    { transfers = {}, ...known }: Partial<Pick<FileMessage, "manifest" | "sample" | "transfers">> = {},
  ): Promise<void> {
    const recipients = this.recipients(conversation);
    const states = recipients.map((peer) => [peer, transfers[peer] ?? { status: "init" as const }] as const);
    const head = this.#head(conversation, recipients);
    await this.#post({ ...head, type: "file", file, ...known, transfers: Object.fromEntries(states) });
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

/** What says of a file that it may be known is not worth failing for: a page whose server is away may not have it loaded. */
function sampleIfLoaded(stream: File): Promise<string | null> {
  return import("../files/sample.ts").then(({ sampleOf }) => sampleOf(stream)).catch(() => null);
}
