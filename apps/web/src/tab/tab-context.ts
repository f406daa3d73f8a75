import { createContext, use, useState } from "react";
import { useStore } from "zustand";
import { type TrayContent, trayContent } from "./share-tray.ts";
import type { Tab } from "./tab.ts";

export const TabContext = createContext<Tab | null>(null);

/** The objects of this tab; throws outside a {@link TabContext}. */
export function useTab(): Tab {
  const tab = use(TabContext);
  if (tab === null) throw new Error("useTab needs a TabContext around it");
  return tab;
}

/** Holds a value while the user is in the middle of something that has begun and not ended. */
export function useHeld<T>(value: T): T {
  const [held, setHeld] = useState(value);
  const isBusy = useStore(useTab().busy.store, (count) => count > 0);
  if (!isBusy && held !== value) setHeld(value);
  return isBusy ? held : value;
}

/** The items shared by other apps; re-renders when they change. */
export function useShareTray(): TrayContent {
  const all = useStore(useTab().shareTray.store);
  return trayContent(all);
}
