import type { ClientId } from "@warren/protocol";
import type { ChatMessage, ConversationId } from "./message.ts";

/**
 * What is known of who stands behind an id, and so behind the key the id is made from: nothing yet; that it is whom the
 * link we came by names as its maker; that the safety codes were compared and nobody stands between; or that they
 * differed. Who is blocked is refused until unblocked or deleted.
 */
export type Standing = "unverified" | "invited" | "verified" | "blocked";

/** What a person lets a contact do without being asked each time. */
export interface Permissions {
  /** Its files are accepted at once, up to the size limit. */
  readonly autoAccept: boolean;
  /** Its clipboard text is written to our clipboard at once. */
  readonly clipboardAllowed: boolean;
}

/** Someone we have met; kept in this browser until deleted. Only one that is `proven` is ever verified or permitted anything. */
export interface Contact extends Permissions {
  readonly clientId: ClientId;
  readonly name: string;
  /** A data URL of a picture, or null for initials. */
  readonly avatar: string | null;
  /** Whether it has shown the key its id is made from: from then on, one without it is somebody else. */
  readonly proven: boolean;
  readonly standing: Standing;
  /** Of a blocked one: whether a person chose to, in contrast to safety codes that differed. */
  readonly blockedByHand?: boolean | undefined;
  /** Whether the page goes to its conversation when it connects. */
  readonly redirect: boolean;
  /** When we first met, ms since the epoch. */
  readonly createdAt: number;
}

/** A part of a conversation whose texts are in storage alone: those with `from` <= `sortedAt` < `before`. */
export interface Gap {
  readonly from: number;
  readonly before: number;
}

/** What was said with one client or with everyone. */
export interface Conversation {
  /** What is in memory, by ascending `sortedAt`: all but the texts in `gaps`. The end of a conversation is always in memory. */
  readonly messages: readonly ChatMessage[];
  /** What is still to be loaded, in order; absent or empty once nothing is. */
  readonly gaps?: readonly Gap[] | undefined;
  /** Received messages since the conversation was last open. */
  readonly unread: number;
}

/** A clipboard text that came. */
export interface ClipboardText {
  readonly text: string;
  /** By our own clock, ms since the epoch. */
  readonly receivedAt: number;
}

/** What was stored here from one client, and where more of it was refused. */
export interface Intake {
  readonly bytes: number;
  /** Conversations with messages that were refused since there was no room for them. */
  readonly refusedIn: readonly ConversationId[];
}

/** People and conversations of this browser. */
export interface ChatState {
  /** False until storage has been read. */
  readonly loaded: boolean;
  readonly contacts: Readonly<Record<ClientId, Contact>>;
  readonly conversations: Readonly<Partial<Record<ConversationId, Conversation>>>;
  readonly intakes: Readonly<Partial<Record<ClientId, Intake>>>;
  /** The last 50 clipboard texts of each client, the newest first; gone when the page closes. */
  readonly clipboards: Readonly<Partial<Record<ClientId, readonly ClipboardText[]>>>;
  /** The conversation on the screen: what arrives there is read at once. */
  readonly open: ConversationId | null;
  /** How many changes storage has refused so far, as on a full disk. They are stored as soon as it takes them. */
  readonly unsaved: number;
}

/** Whether a place of a conversation lies in a gap, so that a file or unsent text there is not shown yet. */
export function isInGap({ gaps }: Conversation, { sortedAt }: Pick<ChatMessage, "sortedAt">): boolean {
  return gaps?.some(({ from, before }) => from <= sortedAt && sortedAt < before) ?? false;
}

/** The messages of a conversation that are shown: those in memory that lie in no gap. */
export function loadedMessages(conversation: Conversation): readonly ChatMessage[] {
  if (!conversation.gaps?.length) return conversation.messages;
  return conversation.messages.filter((message) => !isInGap(conversation, message));
}
