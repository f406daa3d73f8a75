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
import { type ChatMessage, type ConversationId, everyone, messageKeyOf } from "./message.ts";
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

  async sendFile(conversation: ConversationId, file: File): Promise<void> {
    this.#checkSize(file.size);
    await this.#offer(conversation, () => this.#hold(file));
  }

  async forwardFile(conversation: ConversationId, fid: FileId): Promise<void> {
    const file = this.#deps.library.completeFile(fid);
    this.#checkSize(file.fileSize);
    await this.#offer(conversation, () => file);
  }

  async sendTree(conversation: ConversationId, picked: PickedTree): Promise<void> {
    this.#checkSize(picked.files.reduce((sum, { file }) => sum + file.size, 0));
    const { composeTree } = await import("../files/compose-tree.ts");
    const tree = await composeTree(picked);
    const listed = typeof tree.manifest === "string" ? { manifest: tree.manifest } : {};
    await this.#offer(conversation, () => this.#hold(tree.stream, tree), listed);
  }

  #checkSize(sizeBytes: number): void {
    const { maxFileSize: limitBytes } = this.#deps.options();
    if (sizeBytes > limitBytes) throw new WarrenError("file-too-large", { sizeBytes, limitBytes });
  }

  #hold(stream: File, tree?: ComposedTree): FileDescription {
    return this.#deps.library.addSource(stream, this.#deps.options().chunkSize, tree?.summary);
  }

  /** `describe` is called once there is somebody to offer to. */
  async #offer(
    conversation: ConversationId,
    describe: () => FileDescription,
    listed: { readonly manifest?: string } = {},
  ): Promise<void> {
    const recipients = this.recipients(conversation);
    const file = describe();
    const transfers = Object.fromEntries(recipients.map((peer) => [peer, { status: "init" as const }]));
    await this.#post({ ...this.#head(conversation, recipients), type: "file", file, ...listed, transfers });
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
