import { randomBelow } from "../shared/ids.ts";
import { roomWords } from "./room-words.ts";

/** The id of a new room: three random words. There are some 13 billion, so that nobody meets another room by chance. */
export function newRoomId(): string {
  return Array.from({ length: 3 }, () => roomWords[randomBelow(roomWords.length)]).join("-");
}
