import type { Options, Profile, RoomState, Warren } from "@warren/core";
import { createContext, use } from "react";
import { useStore } from "zustand";

export { useStore } from "zustand";

/** Holds the core of the app around. */
export const WarrenContext = createContext<Warren | null>(null);

/** The core of the app around; throws outside of a {@link WarrenContext}. Read its stores with `useStore`. */
export function useWarren(): Warren {
  const warren = use(WarrenContext);
  if (warren === null) throw new Error("useWarren needs a WarrenContext around it");
  return warren;
}

/** Who this browser is; draws again when that changes. */
export function useProfile(): Profile {
  return useStore(useWarren().profile.store);
}

/** Whether we are in a room and who is there; draws again when that changes. */
export function useRoom(): RoomState {
  return useStore(useWarren().room.store);
}

/** Every option; draws again when one changes. */
export function useOptions(): Options {
  return useStore(useWarren().settings.store);
}
