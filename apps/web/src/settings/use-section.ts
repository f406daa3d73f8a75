import { useSyncExternalStore } from "react";

/** The sections of the settings in order; each is its own address fragment. */
export const sections = [
  "appearance",
  "connection",
  "sender",
  "receiver",
  "media",
  "about",
  "advanced",
] as const;
export type Section = (typeof sections)[number];

// wouter dispatches the last two.
const events = ["hashchange", "popstate", "pushState", "replaceState"];

function subscribe(listener: () => void): () => void {
  for (const event of events) addEventListener(event, listener);
  return () => {
    for (const event of events) removeEventListener(event, listener);
  };
}

function readSection(): Section | null {
  const name = location.hash.slice(1);
  return sections.find((section) => section === name) ?? null;
}

/** The section in the address; null without one. */
export function useSection(): Section | null {
  return useSyncExternalStore(subscribe, readSection);
}
