import { matchesSearch } from "@warren/core";
import type { ReactNode } from "react";
import { scoreMatch } from "../../ui/text/score-match.ts";
import type { ShortcutName } from "../../wiring/shortcuts/shortcuts.ts";

/** The groups of the palette, in its order. */
export const paletteGroups = ["recent", "rooms", "people", "commands", "messages", "fallback"] as const;

/** One line of the palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: (typeof paletteGroups)[number];
  readonly name: string;
  /** Further words by which it is found, such as its English name. */
  readonly alias?: string;
  /** What stands below the name. */
  readonly detail?: ReactNode;
  readonly icon: ReactNode;
  readonly shortcut?: ShortcutName;
  /** Also offered where nothing was found. */
  readonly isFallback?: boolean;
  readonly run: () => void;
}

/** How many rooms and people are shown while nothing is searched; all commands are. */
const initialMax = 5;
/** How many of a group are shown of a search. */
const foundMax = 8;

/**
 * The entries for what was typed: groups in their order, the best match of each first. While nothing is typed, those chosen last
 * come first.
 * @param recent the ids of those, the last one first.
 */
export function findEntries(
  entries: readonly PaletteEntry[],
  query: string,
  recent: readonly string[],
): readonly PaletteEntry[] {
  if (query.trim() === "") return initialEntries(entries, recent);
  return paletteGroups.flatMap((group) =>
    entries
      .filter((entry) => entry.group === group && matchesSearch(`${entry.name} ${entry.alias ?? ""}`, query))
      .map((entry) => ({ entry, score: scoreMatch(entry.name, query) ?? 0 }))
      .sort((one, other) => other.score - one.score)
      .slice(0, foundMax)
      .map(({ entry }) => entry),
  );
}

function initialEntries(
  entries: readonly PaletteEntry[],
  recent: readonly string[],
): readonly PaletteEntry[] {
  const chosen = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []);
  const others = entries.filter((entry) => !chosen.includes(entry));
  return [
    ...chosen.map((entry): PaletteEntry => ({ ...entry, group: "recent" })),
    ...paletteGroups.flatMap((group) => {
      const ofGroup = others.filter((entry) => entry.group === group);
      return group === "commands" ? ofGroup : ofGroup.slice(0, initialMax);
    }),
  ];
}

/** What can be done where nothing was found. */
export function fallbackEntries(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  return entries.filter(({ isFallback }) => isFallback).map((entry) => ({ ...entry, group: "fallback" }));
}
