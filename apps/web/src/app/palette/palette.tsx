import { type ChatMessage, everyone, isRoomConversation } from "@warren/core";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { useLocation } from "wouter";
import { showMessage } from "../../files/shown-message.ts";
import { useRooms } from "../../room/use-rooms.ts";
import { dialogStore, openDialog } from "../../ui/open-dialog.tsx";
import { PaletteContext } from "../../ui/palette-context.ts";
import { paths } from "../../ui/paths.ts";
import { isShortcut } from "../../ui/shortcuts.ts";
import { useWarren } from "../../ui/warren-context.tsx";
import { PaletteDialog } from "./palette-dialog.tsx";
import { useEntries } from "./use-entries.tsx";

/** Opens the palette by its shortcut, and for the buttons inside. */
export function Palette({ children }: { readonly children: ReactNode }) {
  const entries = useEntries();
  const openMessage = useOpenMessage();
  const open = async (): Promise<void> => {
    const result = await openDialog(PaletteDialog, { entries: entries(), openMessage });
    if (!result.cancelled) result.value();
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (!isShortcut(event, "palette") || event.defaultPrevented || dialogStore.getState()?.open) return;
    event.preventDefault();
    void open();
  });
  useEffect(() => {
    const listening = new AbortController();
    document.addEventListener("keydown", (event) => onKeyDown(event), { signal: listening.signal });
    return () => listening.abort();
  }, []);
  return <PaletteContext value={() => void open()}>{children}</PaletteContext>;
}

/** Returns what opens a found message, in its room. */
function useOpenMessage(): (message: ChatMessage) => void {
  const { chat } = useWarren();
  const rooms = useRooms();
  const [, navigate] = useLocation();
  const open = async ({ conversation, key }: ChatMessage): Promise<void> => {
    const { room } = chat.store.getState();
    const isRoom = isRoomConversation(conversation);
    const other = chat.rooms.getState().find(({ tag }) => tag === conversation && tag !== room);
    if (other !== undefined && !(await rooms.goTo(other))) return;
    const there = isRoom ? everyone : conversation;
    showMessage(key);
    navigate(paths.chat(there));
  };
  return (message) => void open(message);
}
