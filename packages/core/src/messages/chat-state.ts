import type { ClientId, ErrorDescription, RoomTag } from "@warren/protocol";
import type { Member } from "../room-log/members.ts";
import type { ChatMessage, ConversationId, TextMessage } from "./message.ts";

/**
 * The trust level of a client's id, and so of the key the id is derived from. `invited`: the link we followed names it
 * as its creator. `verified`: the safety codes were compared and match, so nobody is in the middle. `blocked`: they
 * differed, or a person blocked it; refused until unblocked or deleted.
 */
export type TrustLevel = "unverified" | "invited" | "verified" | "blocked";

/** What a contact may do without asking each time. */
export interface Permissions {
  /** Its files are accepted without asking, up to the size limit. */
  readonly autoAccept: boolean;
  /** Its clipboard text is written to our clipboard without asking. */
  readonly clipboardAllowed: boolean;
}

/** A client we have met, stored until deleted. Only `proven` contacts are ever verified or permitted anything. */
export interface Contact extends Permissions {
  readonly clientId: ClientId;
  readonly name: string;
  /** A data URL of a picture, or null for initials. */
  readonly avatar: string | null;
  /**
   * Whether it has shown the key its id is derived from. From then on a client without that key is refused as an
   * impostor.
   */
  readonly proven: boolean;
  readonly trustLevel: TrustLevel;
  /** For a blocked contact: true if a person blocked it, not differing safety codes. */
  readonly blockedByHand?: boolean | undefined;
  /** It was only ever met nearby. */
  readonly nearby?: true | undefined;
  /** We have written to it alone, verified it, or accepted a file or a call of it; see `mayAlert`. */
  readonly accepted: boolean;
  /** No notification and no sound. */
  readonly muted: boolean;
  /** Whether to open its conversation when it connects. */
  readonly redirect: boolean;
  /** When we first met, ms since the epoch. */
  readonly createdAt: number;
}

/** A part of a conversation whose texts are only in storage: those with `from` <= `sortedAt` < `before`. */
export interface Gap {
  readonly from: number;
  readonly before: number;
}

/** The messages exchanged with one client or with everyone. */
export interface Conversation {
  /** The messages in memory, by ascending `sortedAt`: all but the texts in `gaps`. Always includes the latest ones. */
  readonly messages: readonly ChatMessage[];
  /** The ranges still to be loaded, in order; absent or empty when everything is loaded. */
  readonly gaps?: readonly Gap[] | undefined;
  /** Received messages since the conversation was last open. */
  readonly unread: number;
}

/** How much one client has stored here, and where more was refused. */
export interface StorageUsage {
  readonly bytes: number;
  /** How many of them are in the conversations of rooms, which stay when the contact is deleted. */
  readonly roomBytes: number;
  /** Conversations in which messages were refused because the client's quota was used up. */
  readonly refusedIn: readonly ConversationId[];
}

/** The people and conversations of this browser. */
export interface ChatState {
  /** The room whose conversation is `everyone`: the one we are in, or were in last. */
  readonly room: RoomTag;
  /** False until storage has been read. */
  readonly loaded: boolean;
  /** Why storage could not be read; null before, and once it has been read. */
  readonly loadError: ErrorDescription | null;
  readonly contacts: Readonly<Record<ClientId, Contact>>;
  readonly conversations: Readonly<Partial<Record<ConversationId, Conversation>>>;
  readonly storageUsage: Readonly<Partial<Record<ClientId, StorageUsage>>>;
  /** The conversation on the screen: messages that arrive in it are read at once. */
  readonly open: ConversationId | null;
  /**
   * How many changes storage has refused so far, for example on a full disk. They are stored as soon as storage accepts
   * them.
   */
  readonly unsaved: number;
}

/** Whether a message lies in a gap, so that a file or unsent text there is not shown yet. */
export function isInGap({ gaps }: Conversation, { sortedAt }: Pick<ChatMessage, "sortedAt">): boolean {
  return gaps?.some(({ from, before }) => from <= sortedAt && sortedAt < before) ?? false;
}

/** The messages of a conversation that are shown: those in memory outside any gap. */
export function loadedMessages(conversation: Conversation): readonly ChatMessage[] {
  if (!conversation.gaps?.length) return conversation.messages;
  return conversation.messages.filter((message) => !isInGap(conversation, message));
}

/** How many texts of each author to everyone have not arrived although later ones have. */
export type MissingEntries = Readonly<Record<ClientId, number>>;

/** One whom we have met in a room: when we first did, and when it was last there, by our own clock, and what it was called then. */
export interface RoomMember {
  readonly metAt: number;
  readonly lastSeen: number;
  readonly name?: string | undefined;
}

export type RoomMembers = Readonly<Record<ClientId, RoomMember>>;

/** Those of the members of a room whom we have met ourselves. */
export function metMembers(members: readonly Member[]): RoomMembers {
  const met: Record<ClientId, RoomMember> = {};
  for (const { client, metAt, lastSeen, name } of members)
    if (metAt !== null) met[client] = { metAt, lastSeen, name };
  return met;
}

/** The events of a conversation. All that belongs to the chat emits on one emitter. */
export type ChatEvents = {
  /** The browser deleted all stored data; the chat is being stored again. */
  "storage-emptied": [];
  /** A clipboard text, which is a message by now; `allowed`: whether it may be written to the clipboard without asking. */
  clipboard: [message: TextMessage, allowed: boolean];
};
