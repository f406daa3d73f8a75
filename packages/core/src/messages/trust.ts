import { type ClientId, type FileDescription, WarrenError } from "@warren/protocol";
import type { Peer } from "../session/peer.ts";
import type { Options } from "../settings/options.ts";
import type { Contact, Permissions } from "./chat-state.ts";
import type { Contacts } from "./contacts.ts";
import type { Invitations } from "./invitations.ts";
import type { VisitedRoom } from "./room-book.ts";

/** Actions that may happen without asking a person. */
export type AutomaticAction =
  | "accept-file"
  | "accept-small-picture"
  | "write-clipboard"
  | "share-all-files"
  | "share-marked-files"
  | "pass-on-files";

/** What the rules below know about a client: the contact, and the peer while it is connected. */
interface TrustedClient {
  readonly contact: Pick<Contact, "proven" | "trustLevel" | "nearby"> | null | undefined;
  readonly peer?: Pick<Peer, "proof"> | null | undefined;
}

/**
 * The effect of a permission for a client: it holds, it will hold once the client is verified, it cannot be given because
 * a client without a key could be anybody next time, or it was revoked by blocking.
 */
export type PermissionEffect = "allowed" | "verified-only" | "not-verifiable" | "blocked";

/** The one rule about permissions, for automatic actions and for the choices in the interface. */
export function permissionEffect(client: TrustedClient, options: Pick<Options, "trust">): PermissionEffect {
  if (client.contact?.trustLevel === "blocked") return "blocked";
  if (!isVerifiable(client)) return "not-verifiable";
  return isTrusted(client, options) ? "allowed" : "verified-only";
}

/**
 * Whether a client may draw attention by a notification or a sound: nobody may who is blocked, or of whom nothing was ever
 * accepted and who is known by no other way. By what it says in a room, everybody may who knows its password, once we wrote to
 * everyone there.
 */
export function mayAlert(
  contact: Pick<Contact, "trustLevel" | "accepted"> | undefined,
  room?: Pick<VisitedRoom, "password" | "written">,
): boolean {
  if (contact === undefined || contact.trustLevel === "blocked") return false;
  const isOurTalk = room?.written === true && room.password !== null;
  return isOurTalk || contact.accepted || contact.trustLevel !== "unverified";
}

/** Whether an action of a client happens without asking. */
export function isAutomatic(
  action: AutomaticAction,
  contact: Pick<Contact, "proven" | "trustLevel" | "nearby" | "accepted" | keyof Permissions> | undefined,
  options: AutomaticOptions,
): boolean {
  const trusted = isTrusted({ contact }, options);
  const permitted = permissionEffect({ contact }, options) === "allowed";
  const automatic: Record<AutomaticAction, boolean> = {
    "accept-file": (trusted && options.automaticDownload) || (permitted && contact?.autoAccept === true),
    "accept-small-picture": options.automaticPictures && trusted && isFamiliar(contact),
    "write-clipboard": permitted && contact?.clipboardAllowed === true,
    "share-all-files": trusted && options.shareFilesWithRoom,
    "share-marked-files": trusted, // marking the file was the person's decision
    "pass-on-files": trusted && options.passOnFiles,
  };
  return automatic[action];
}

/** A contact keeps what it proved in earlier sessions. For a client that is not a contact, only this session's proof counts. */
function isVerifiable({ contact, peer }: TrustedClient): boolean {
  return contact?.proven ?? peer?.proof?.verifiable ?? false;
}

/** Whether option-wide permissions apply to the client; no key required. Everyone are those of rooms, which have a name. */
function isTrusted({ contact }: TrustedClient, { trust }: Pick<Options, "trust">): boolean {
  if (contact?.trustLevel === "verified") return true;
  return trust === "everyone" && contact?.trustLevel !== "blocked" && contact?.nearby === undefined;
}

/** Whether we met before and took something of it: no stranger. Only who has shown a key is the one that we met. */
export function isFamiliar(
  contact: Pick<Contact, "proven" | "trustLevel" | "accepted"> | undefined,
): boolean {
  if (contact?.trustLevel === "verified") return true;
  return contact?.accepted === true && contact.proven && contact.trustLevel !== "blocked";
}

type AutomaticOptions = Pick<
  Options,
  "automaticDownload" | "automaticPictures" | "shareFilesWithRoom" | "passOnFiles" | "trust"
>;

interface TrustDeps {
  readonly contacts: Contacts;
  readonly invitations: Invitations;
  readonly options: () => AutomaticOptions;
  /** Another client of the room; undefined while it is not connected. */
  readonly peer: (clientId: ClientId) => Pick<Peer, "profile" | "proof"> | undefined;
}

const smallPictureBytes = 2 * 1024 ** 2;

/** Whether a file is described as a picture that every browser shows, and is small enough to accept unasked. */
export function isSmallPicture({ mimeType, fileSize, tree }: FileDescription): boolean {
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
    this.#deps.contacts.change(clientId, { trustLevel: "verified", accepted: true });
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
      accepted: false,
      blockedByHand: !reason.codeDiffered,
    });
    return () => {
      if (!before || !this.isBlocked(clientId)) return;
      const { trustLevel, autoAccept, clipboardAllowed, accepted } = before;
      contacts.change(clientId, { trustLevel, autoAccept, clipboardAllowed, accepted });
    };
  }

  unblock(clientId: ClientId): void {
    if (this.isBlocked(clientId)) this.#deps.contacts.change(clientId, { trustLevel: "unverified" });
  }

  /** @throws WarrenError `not-verifiable` when the client has never shown a key. */
  permit(clientId: ClientId, permissions: Partial<Permissions>): void {
    this.#meet(clientId);
    if (!isVerifiable({ contact: this.#deps.contacts.get(clientId) }))
      throw new WarrenError("not-verifiable", { id: clientId });
    this.#deps.contacts.change(clientId, permissions);
  }

  isBlocked(clientId: ClientId): boolean {
    return this.#deps.contacts.get(clientId)?.trustLevel === "blocked";
  }

  /** Whether a client may do what draws attention; see {@link mayAlert}. */
  isAccepted(clientId: ClientId): boolean {
    return mayAlert(this.#deps.contacts.get(clientId));
  }

  /** Whether a client was never met in a room, nor accepted nearby. */
  isStranger(clientId: ClientId): boolean {
    const contact = this.#deps.contacts.get(clientId);
    return contact?.nearby === true && !contact.accepted;
  }

  /** Whether a client's file is accepted without asking. */
  acceptsFile(clientId: ClientId, file: FileDescription): boolean {
    return (
      this.allows(clientId, "accept-file") ||
      (isSmallPicture(file) && this.allows(clientId, "accept-small-picture"))
    );
  }

  /** Whether a client's action happens without asking. */
  allows(clientId: ClientId, action: AutomaticAction): boolean {
    return isAutomatic(action, this.#deps.contacts.get(clientId), this.#deps.options());
  }

  /** A client deleted while connected becomes a contact again as soon as something is decided about it. */
  #meet(clientId: ClientId): void {
    const { contacts, peer } = this.#deps;
    const here = peer(clientId);
    if (contacts.get(clientId) !== undefined || !here?.profile) return;
    contacts.remember({ clientId, ...here.profile, proven: here.proof?.verifiable === true });
  }
}
