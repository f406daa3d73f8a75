import type { OutgoingMessage } from "../session/message-channel.ts";
import type { TestPerson } from "./test-world.ts";

/** What a person's page sends from now on. */
export function sentBy({ warren: { room } }: TestPerson) {
  const sent: { readonly to: string; readonly message: OutgoingMessage }[] = [];
  const { send, sendInTurn } = room;
  room.send = (to, message) => {
    sent.push({ to, message });
    return send.call(room, to, message);
  };
  room.sendInTurn = (to, message, ...rest) => {
    sent.push({ to, message });
    return sendInTurn.call(room, to, message, ...rest);
  };
  return sent;
}
