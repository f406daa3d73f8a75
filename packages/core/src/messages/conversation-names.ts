import { type RoomTag, roomTagSchema, v } from "@warren/protocol";
import { type ConversationId, everyone } from "./message.ts";

/**
 * What a conversation is called in memory and in storage. In memory {@link everyone} is the conversation of the room we are
 * in, and that of another room has its tag. In storage each has its tag, except that of the first room: earlier versions
 * had one conversation for all rooms, called `everyone`, which stays where it is and belongs to the room they were in last.
 */
export class ConversationNames {
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

  restoreFirst(room: RoomTag): void {
    this.#first = room;
  }

  enter(room: RoomTag): void {
    this.#present = room;
  }

  toStored(id: ConversationId): ConversationId {
    const name = id === everyone ? this.#present : id;
    return name === this.#first ? everyone : name;
  }

  toShown(stored: ConversationId): ConversationId {
    const name = stored === everyone ? this.#first : stored;
    return name === this.#present ? everyone : name;
  }
}

/** Whether a conversation is that of a room. */
export function isRoomConversation(conversation: ConversationId): boolean {
  return conversation === everyone || v.is(roomTagSchema, conversation);
}
