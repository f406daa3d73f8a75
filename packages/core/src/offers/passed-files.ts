import type { ClientId, FileDescription, FileId } from "@warren/protocol";
import { sameLayout } from "../files/file-layout.ts";
import type { FileLibrary } from "../files/file-library.ts";
import type { FileMessage } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import { isCancelled } from "../transfer/offer-state.ts";
import type { Offers } from "./offers.ts";

interface PassedFilesDeps {
  readonly offers: Offers;
  readonly messages: Pick<MessageLog, "files" | "loadAbout">;
  readonly library: Pick<FileLibrary, "store">;
}

/**
 * The files that passed between a client and us. A client learns of no other file that it is here, unless we shared it with
 * them: an offer of theirs names a file without showing that they have it.
 */
export class PassedFiles {
  readonly #deps: PassedFilesDeps;

  constructor(deps: PassedFilesDeps) {
    this.#deps = deps;
  }

  /** Those they sent us or were offered by us, oldest first, without withdrawn and cancelled ones. */
  between(peer: ClientId): readonly FileDescription[] {
    const { messages, offers } = this.#deps;
    return messages
      .files()
      .filter((message) => Object.hasOwn(message.offers, peer) && this.#hasPassed(message, peer))
      .filter((message) => !offers.isMine(message) || !isCancelled(message.offers[peer]))
      .map(({ file }) => file);
  }

  /** Whether a client sent us this file or was offered it by us. */
  has(peer: ClientId, fid: FileId): boolean {
    return this.#deps.offers.between(peer, fid).some((message) => this.#hasPassed(message, peer));
  }

  /** One that is here, complete on both sides, and has the same description as `file`. */
  async like(peer: ClientId, file: FileDescription): Promise<FileDescription | undefined> {
    const { messages, offers, library } = this.#deps;
    const alike = [...library.store.getState().values()]
      .map(({ description }) => description)
      .filter(
        (known) =>
          known.fileName === file.fileName &&
          sameLayout(known, file) &&
          known.tree?.manifestDigest === file.tree?.manifestDigest,
      );
    await messages.loadAbout(alike.map(({ fid }) => fid));
    return alike.find(({ fid }) =>
      offers.between(peer, fid).some((message) => message.offers[peer]?.state === "complete"),
    );
  }

  /** Anyone who knows the id of a file can offer it: only a completed transfer shows that a client has the bytes. */
  #hasPassed(message: FileMessage, peer: ClientId): boolean {
    if (this.#deps.offers.isMine(message)) return true;
    const kept = this.#deps.library.store.getState().get(message.file.fid);
    return message.offers[peer]?.state === "complete" && (kept?.peers.includes(peer) ?? true);
  }
}
