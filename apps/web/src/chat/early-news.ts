import type { ChatState, TransferSnapshots } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useEffect, useState } from "react";
import { useWarren } from "../ui/warren-context.tsx";

/** The news of the room from before {@link ChatNews}, which reports them, was loaded. */
export interface EarlyNews {
  /** The history as it was read from storage. */
  chat: ChatState;
  /** The transfers at the start. */
  readonly transfers: TransferSnapshots;
  readonly clipboard: [from: ClientId, text: string, allowed: boolean][];
  /** The newcomers that wait to be let in. */
  readonly newcomers: Set<ClientId>;
}

/** Collects the news until `isOver`. */
export function useEarlyNews(isOver: boolean): EarlyNews {
  const { chat, room, transfers } = useWarren();
  const [early] = useState<EarlyNews>(() => ({
    chat: chat.store.getState(),
    transfers: transfers.store.getState(),
    clipboard: [],
    newcomers: new Set(),
  }));
  useEffect(() => {
    if (isOver) return;
    const stops = [
      chat.on("clipboard", (...news) => early.clipboard.push(news)),
      room.on("approval-needed", (clientId) => early.newcomers.add(clientId)),
      room.on("approval-over", (clientId) => early.newcomers.delete(clientId)),
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
