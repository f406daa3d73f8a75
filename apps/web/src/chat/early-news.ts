import type { ChatState, TransferSnapshots } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useState } from "react";
import { useWarren } from "../ui/warren-context.tsx";

/** What happened in the room before the code came that reports it ({@link ChatNews}). */
export interface EarlyNews {
  /** The history as it was read, and the transfers there were. */
  chat: ChatState;
  readonly transfers: TransferSnapshots;
  readonly clipboard: [from: ClientId, text: string, allowed: boolean][];
  /** Who has to be let in. */
  readonly knocks: ClientId[];
}

/** Collects what happens until `isOver`. */
export function useEarlyNews(isOver: boolean): EarlyNews {
  const { chat, room, transfers } = useWarren();
  const [early] = useState<EarlyNews>(() => ({
    chat: chat.store.getState(),
    transfers: transfers.store.getState(),
    clipboard: [],
    knocks: [],
  }));
  useEffect(() => {
    if (isOver) return;
    const stops = [
      chat.on("clipboard", (...news) => early.clipboard.push(news)),
      room.on("approval-needed", (clientId) => early.knocks.push(clientId)),
      chat.store.subscribe((now) => {
        if (!early.chat.loaded) early.chat = now;
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [isOver, chat, room, early]);
  return early;
}
