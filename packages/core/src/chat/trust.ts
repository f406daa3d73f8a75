import { type ClientId, type FileDescription, WarrenError } from "@warren/protocol";
import type { Peer } from "../connection/peer.ts";
import type { Options } from "../settings/options.ts";
import type { Permissions } from "./chat-state.ts";
import type { Contacts } from "./contacts.ts";
import type { Invitations } from "./invitations.ts";

/** Actions that may happen without asking a person. */
export type AutomaticAction =
  | "accept-file"
  | "accept-small-picture"
  | "write-clipboard"
  | "share-all-files"
  | "share-marked-files";

interface TrustDeps {
  readonly contacts: Contacts;
  readonly invitations: Invitations;
  readonly options: () => Pick<
    Options,
    "automaticDownload" | "automaticPictures" | "shareFilesWithRoom" | "trust"
  >;
  /** Another client of the room; undefined while it is not connected. */
  readonly peer: (clientId: ClientId) => Pick<Peer, "profile" | "proof"> | undefined;
}

const smallPictureBytes = 2 * 1024 ** 2;

/** Whether a file is described as a picture that every browser shows, and is small enough to accept unasked. */
function isSmallPicture({ mimeType, fileSize, tree }: FileDescription): boolean {
  return !tree && fileSize <= smallPictureBytes && /^image\/(avif|gif|jpeg|png|webp)$/.test(mimeType);
}

/** The trust level of each client and what it may do unasked. */
export class Trust {
  readonly #deps: TrustDeps;

  constructor(deps: TrustDeps) {
    this.#deps = deps;
  }

  /** A client was met: if a link named it as its creator and it has shown the key of that id, it becomes `invited`. */
  recognise(clientId: ClientId): void {
    const { contacts, invitations } = this.#deps;
    const contact = contacts.get(clientId);
    if (contact?.proven !== true || !invitations.has(clientId)) return;
    invitations.forget(clientId);
    if (contact.trustLevel === "unverified") contacts.change(clientId, { trustLevel: "invited" });
  }

  /** @throws WarrenError `not-verifiable` when it has shown no key in this session, `no-session` while it is away. */
  markVerified(clientId: ClientId): void {
    const proof = this.#deps.peer(clientId)?.proof;
    if (proof === undefined || proof === null) throw new WarrenError("no-session", { id: clientId });
    if (!proof.verifiable) throw new WarrenError("not-verifiable", { id: clientId });
    this.#meet(clientId);
    this.#deps.contacts.change(clientId, { trustLevel: "verified" });
  }

  /** @returns a function that undoes this and restores the client's permissions. */
  block(clientId: ClientId, reason: { readonly codeDiffered: boolean }): () => void {
    const { contacts, invitations } = this.#deps;
    this.#meet(clientId);
    invitations.forget(clientId);
    const before = contacts.get(clientId);
    contacts.change(clientId, {
      trustLevel: "blocked",
      autoAccept: false,
      clipboardAllowed: false,
      blockedByHand: !reason.codeDiffered,
    });
    return () => {
      if (!before || !this.isBlocked(clientId)) return;
      const { trustLevel, autoAccept, clipboardAllowed } = before;
      contacts.change(clientId, { trustLevel, autoAccept, clipboardAllowed });
    };
  }

  unblock(clientId: ClientId): void {
    if (this.isBlocked(clientId)) this.#deps.contacts.change(clientId, { trustLevel: "unverified" });
  }

  /** @throws WarrenError `not-verifiable` when the client has never shown a key. */
  permit(clientId: ClientId, permissions: Partial<Permissions>): void {
    this.#meet(clientId);
    if (this.#deps.contacts.get(clientId)?.proven !== true)
      throw new WarrenError("not-verifiable", { id: clientId });
    this.#deps.contacts.change(clientId, permissions);
  }

  isBlocked(clientId: ClientId): boolean {
    return this.#deps.contacts.get(clientId)?.trustLevel === "blocked";
  }

  /** Whether a client's file is accepted without asking. */
  acceptsFile(clientId: ClientId, file: FileDescription): boolean {
    return (
      this.allows(clientId, "accept-file") ||
      (isSmallPicture(file) && this.allows(clientId, "accept-small-picture"))
    );
  }

  /** Whether a client's action happens without asking. Blocked clients are not asked about: their messages are dropped. */
  allows(clientId: ClientId, action: AutomaticAction): boolean {
    const contact = this.#deps.contacts.get(clientId);
    const { trust, automaticDownload, automaticPictures, shareFilesWithRoom } = this.#deps.options();
    if (trust === "verified" && contact?.trustLevel !== "verified") return false;
    const allowed: Record<AutomaticAction, boolean> = {
      "accept-file": automaticDownload || contact?.autoAccept === true,
      "accept-small-picture": automaticPictures && contact?.trustLevel === "verified",
      "write-clipboard": contact?.clipboardAllowed === true,
      "share-all-files": shareFilesWithRoom,
      "share-marked-files": true, // marking the file was the person's decision
    };
    return allowed[action];
  }

  /** A client deleted while connected becomes a contact again as soon as something is decided about it. */
  #meet(clientId: ClientId): void {
    const { contacts, peer } = this.#deps;
    const here = peer(clientId);
    if (contacts.get(clientId) !== undefined || !here?.profile) return;
    contacts.remember({ clientId, ...here.profile, proven: here.proof?.verifiable === true });
  }
}
