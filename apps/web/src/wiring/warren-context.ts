import type { OptionName, Options, Profile, ReadableStore, RoomState, Warren } from "@warren/core";
import { createContext, use } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

// Everything that may import this file takes the hook from here; `tab/`, which lies below, takes it from zustand.
export { useStore } from "zustand";

export const WarrenContext = createContext<Warren | null>(null);

/**
 * The core of the surrounding app; throws outside a {@link WarrenContext}. Read its stores with `useStore`.
 */
export function useWarren(): Warren {
  const warren = use(WarrenContext);
  if (warren === null) throw new Error("useWarren needs a WarrenContext around it");
  return warren;
}

/** The profile of this browser; re-renders when it changes. */
export function useProfile(): Profile {
  return useStore(useWarren().profile.store);
}

/** The room state and its members; re-renders when it changes. */
export function useRoom(): RoomState {
  return useStore(useWarren().room.store);
}

/** Only the status of the room: re-renders only when that changes. */
export function useRoomStatus(): RoomState["status"] {
  return useStore(useWarren().room.store, ({ status }) => status);
}

/** Whether we are with the people nearby, outside of a room; re-renders only when that changes. */
export function useIsNearby(): boolean {
  return useStore(useWarren().room.store, ({ status }) => status === "nearby");
}

/** An option; re-renders when it changes. */
export function useOption<Name extends OptionName>(name: Name): Options[Name] {
  return useStore(useWarren().settings.store, (options) => options[name]);
}

/** All options; re-renders when one changes. */
export function useOptions(): Options {
  return useStore(useWarren().settings.store);
}

const noStore: ReadableStore<null> = createStore(() => null);

/** Reads a store that may be missing, such as that of a call; null without it. */
export function useOptionalStore<S, T>(
  store: ReadableStore<S> | undefined,
  select: (state: S) => T,
): T | null {
  return useStore<ReadableStore<S | null>, T | null>(store ?? noStore, (state) =>
    state === null ? null : select(state),
  );
}
