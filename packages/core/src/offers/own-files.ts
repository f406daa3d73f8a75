import {
  type ClientId,
  contentSizeOf,
  type FileDescription,
  type FileId,
  packPermissions,
  safeFileName,
  type TreeSummary,
  WarrenError,
} from "@warren/protocol";
import { sampleOf } from "../files/digests/sample.ts";
import { rootOfSource } from "../files/file-source.ts";
import type { PickedTree } from "../files/trees/compose-tree.ts";
import { type ComposedTree, composeTree } from "../files/trees/compose-tree.ts";
import type { ChatDeps } from "../messages/chat-deps.ts";
import { isRoomConversation } from "../messages/conversation-names.ts";
import type { ConversationId, FileMessage } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Outbox } from "../messages/outbox.ts";
import { settledInTime } from "../shared/stall-watch.ts";
import { isOpen } from "../transfer/offer-state.ts";
import type { FileOffers } from "./file-offers.ts";
import type { Offers } from "./offers.ts";

/** The parts of an offer beside the file's description. */
type KnownOfFile = Pick<FileMessage, "manifest" | "sample" | "root" | "thumbnail">;

/** How long an offer to everyone waits for the digest of its file: without it, only we can give it. */
const rootMs = 2_000;

/** A picked file, with the properties that identify it without reading all of it. */
interface PickedFile {
  readonly stream: File;
  readonly tree: TreeSummary | undefined;
  readonly sample: string;
}

interface OwnFilesDeps extends Pick<ChatDeps, "library" | "options" | "drawThumbnail" | "clock"> {
  readonly messages: MessageLog;
  readonly offers: Offers;
  readonly fileOffers: FileOffers;
  readonly outbox: Pick<Outbox, "post" | "recipients">;
  /** As that of the outbox, and to everyone by the log of the room. */
  readonly post: Outbox["post"];
}

/** Options of a person's offer or fetch of a file. */
export interface OfferOptions {
  /** Whether they want it although it exceeds the option `maxFileSize`. */
  readonly overLimit?: boolean;
  /** The permission bits of a single file, where the platform tells them. */
  readonly permissions?: number;
}

/**
 * Offers our files: describes them, and joins them with existing offers of the same file. Conversations are given as
 * {@link MessageLog.stableIdOf}, as describing a file takes a while.
 */
export class OwnFiles {
  readonly #deps: OwnFilesDeps;

  constructor(deps: OwnFilesDeps) {
    this.#deps = deps;
  }

  async send(conversation: ConversationId, file: File, options?: OfferOptions): Promise<void> {
    this.#checkSize(file.size, options);
    await this.#offerPicked(conversation, file, [file], packPermissions([options?.permissions]));
  }

  async forward(conversation: ConversationId, fid: FileId, options?: OfferOptions): Promise<void> {
    const file = this.#deps.library.completeFile(fid);
    this.#checkSize(contentSizeOf(file), options);
    await this.#deps.messages.loadAbout([fid]);
    const opened = file.mimeType.startsWith("image/") ? await this.#deps.library.open(fid) : null;
    const thumbnail = await this.#thumbnailOf(opened ? [opened] : []);
    await this.#offer(conversation, file, { ...thumbnail, ...(await this.#rootOf(conversation, file)) });
  }

  async sendTree(conversation: ConversationId, picked: PickedTree, options?: OfferOptions): Promise<void> {
    const sizeBytes = picked.files.reduce((sum, { file }) => sum + file.size, 0);
    this.#checkSize(sizeBytes, options);
    const tree = await composeTree(picked);
    const files = picked.files.map(({ file }) => file);
    await this.#offerPicked(conversation, tree.stream, files, tree.permissions, tree);
  }

  /** Offers a file again to the recipients that did not get it. @returns false if it has to be chosen again first. */
  async again({ conversation, file, offers, ...message }: FileMessage): Promise<boolean> {
    const stableId = this.#deps.messages.stableIdOf(conversation);
    if (!(await this.#deps.library.openSource(file.fid, { ask: true }))) return false;
    const lacking = this.#deps.outbox
      .recipients(stableId)
      .filter((peer) => Object.hasOwn(offers, peer) && offers[peer]?.state !== "complete");
    if (lacking.length === 0) throw new WarrenError("no-session", { id: conversation });
    const again = lacking.map((peer) => [peer, { state: "offered" }] as const);
    const { manifest, sample, root, thumbnail } = message;
    const known = { manifest, sample, root, thumbnail };
    const body = { type: "file", file, ...known, offers: Object.fromEntries(again) } as const;
    await this.#deps.outbox.post(stableId, lacking, body);
    for (const peer of lacking) {
      const earlier = this.#deps.offers.between(peer, file.fid);
      this.#deps.fileOffers.updateCancelled(earlier, peer, { askedAgain: undefined, offeredAgain: true });
    }
    return true;
  }

  #checkSize(sizeBytes: number, { overLimit = false }: OfferOptions = {}): void {
    const { maxFileSize: limitBytes } = this.#deps.options();
    if (sizeBytes > limitBytes && !overLimit)
      throw new WarrenError("file-too-large", { sizeBytes, limitBytes });
  }

  /** Offers picked files. Joins an open offer of the same file to the same recipients. */
  async #offerPicked(
    conversation: ConversationId,
    stream: File,
    files: readonly File[],
    permissions: FileDescription["permissions"],
    tree?: ComposedTree,
  ): Promise<void> {
    const recipients = this.#deps.outbox.recipients(conversation);
    const [sample, thumbnail] = await Promise.all([sampleOf(stream), this.#thumbnailOf(files)]);
    const like = sample === null ? null : { stream, sample, tree: tree?.summary };
    // With nobody there, none that was offered to somebody alone before.
    const first = like && recipients.length > 0 ? this.#openLike(recipients, like) : undefined;
    const isAtHand = first !== undefined && this.#deps.library.sourceOf(first.file.fid) !== null;
    const { library, options, clock } = this.#deps;
    const known = { tree: tree?.summary, permissions };
    const file = isAtHand ? first.file : library.addSource(stream, options().chunkSize, known);
    // Whoever is offered a file waits for it, even if this page is gone now.
    await settledInTime(clock, "store", library.offered.whenNoted(file.fid)).catch(() => {});
    await this.#offer(conversation, file, {
      ...(typeof tree?.manifest === "string" && { manifest: tree.manifest }),
      ...(sample !== null && { sample }),
      ...thumbnail,
      ...(await this.#rootOf(conversation, file)),
      ...(isAtHand && { offers: first.offers }),
    });
  }

  /** Our message about an apparently identical file that all of these clients still wait for or are receiving. */
  #openLike(peers: readonly ClientId[], { stream, tree, sample }: PickedFile): FileMessage | undefined {
    const { messages, offers } = this.#deps;
    return messages
      .files()
      .find(
        (message) =>
          offers.isMine(message) &&
          message.sample === sample &&
          message.file.fileName === safeFileName(stream.name) &&
          message.file.fileSize === stream.size &&
          message.file.lastModified === Math.max(0, Math.trunc(stream.lastModified)) &&
          message.file.tree?.manifestDigest === tree?.manifestDigest &&
          peers.every((peer) => isOpen(offers.stateOf(message, peer))),
      );
  }

  async #offer(
    conversation: ConversationId,
    file: FileDescription,
    { offers = {}, ...known }: KnownOfFile & Partial<Pick<FileMessage, "offers">>,
  ): Promise<void> {
    const recipients = this.#deps.outbox.recipients(conversation);
    const all = recipients.map((peer) => [peer, offers[peer] ?? ({ state: "offered" } as const)] as const);
    this.#deps.library.offered.wantCopy(file.fid);
    const body = { type: "file", file, ...known, offers: Object.fromEntries(all) } as const;
    await this.#deps.post(conversation, recipients, body);
  }

  /** The digest of a file for everyone, which its other members may give to who comes later; none where reading it takes long. */
  async #rootOf(conversation: ConversationId, file: FileDescription): Promise<Pick<KnownOfFile, "root">> {
    const { library, clock } = this.#deps;
    const source = isRoomConversation(conversation) ? library.sourceOf(file.fid) : null;
    if (source === null) return {};
    const until = clock.elapsedMs() + rootMs;
    const reading = rootOfSource(file, source, () => clock.elapsedMs() < until);
    const root = await settledInTime(clock, "read", reading).catch(() => null);
    return root === null ? {} : { root };
  }

  /** The thumbnail of files; an offer works without one. */
  async #thumbnailOf(files: readonly File[]): Promise<Pick<KnownOfFile, "thumbnail">> {
    const thumbnail = await this.#deps.drawThumbnail(files).catch(() => null);
    return thumbnail === null ? {} : { thumbnail };
  }
}
