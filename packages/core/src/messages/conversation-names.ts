import { type RoomTag, roomTagSchema, v } from "@warren/protocol";
import { type ConversationId, everyone } from "./message.ts";

/**
 * What a conversation is called in memory and in storage. In memory {@link everyone} is the conversation of the room we are
 * in, and that of another room has its tag. In storage each has its tag, except that of the first room: earlier versions
 * had one conversation for all rooms, called `everyone`, which stays where it is and belongs to the room they were in last.
 */
export class ConversationNames {
  readonly #exchanged = new Map<ConversationId, RoomTag>();
  /** As stored. */
  #first: RoomTag;
  #present: RoomTag;

  constructor(present: RoomTag) {
    this.#first = present;
    this.#present = present;
  }

  /** The room we are in, or were in last. */
  get present(): RoomTag {
    return this.#present;
  }

  /** The room whose conversation is stored as `everyone`. */
  get first(): RoomTag {
    return this.#first;
  }

  /**
   * Earlier versions stored the conversation of a room with a password under the tag of its name. It stays there, and the room
   * without a password that has this name is stored under the tag of the other.
   */
  exchange(one: RoomTag, other: RoomTag): void {
    this.#exchanged.set(one, other).set(other, one);
  }

  restoreFirst(room: RoomTag): void {
    this.#first = room;
  }

  enter(room: RoomTag): void {
    this.#present = room;
  }

  /** The id that a conversation keeps in every room: {@link everyone} becomes the tag of the room we are in. */
  toStable(id: ConversationId): ConversationId {
    return id === everyone ? this.#present : id;
  }

  /** The id that this conversation has while we are in the present room. */
  toPresent(stableId: ConversationId): ConversationId {
    return stableId === this.#present ? everyone : stableId;
  }

  toStored(id: ConversationId): ConversationId {
    const stableId = this.toStable(id);
    const name = this.#exchanged.get(stableId) ?? stableId;
    return name === this.#first ? everyone : name;
  }

  toShown(stored: ConversationId): ConversationId {
    const name = stored === everyone ? this.#first : stored;
    return this.toPresent(this.#exchanged.get(name) ?? name);
  }
}

/** Whether a conversation is that of a room. */
export function isRoomConversation(conversation: ConversationId): boolean {
  return conversation === everyone || v.is(roomTagSchema, conversation);
}
