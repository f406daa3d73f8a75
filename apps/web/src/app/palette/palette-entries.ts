import { matchesSearch } from "@warren/core";
import type { ReactNode } from "react";
import { scoreMatch } from "../../files/forward/use-targets.ts";

/** The groups of the palette, in its order. */
export const paletteGroups = ["rooms", "people", "commands", "messages"] as const;

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
  /** Its shortcut, such as "?". */
  readonly keys?: string;
  readonly run: () => void;
}

/** How many rooms and people are shown while nothing is searched; all commands are. */
const unaskedMax = 5;
/** How many of a group are shown of a search. */
const foundMax = 8;

/** The entries for what was typed: groups in their order, the best match of each first. */
export function findEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const isAsked = query.trim() !== "";
  return paletteGroups.flatMap((group) => {
    const ofGroup = entries.filter((entry) => entry.group === group);
    if (!isAsked) return group === "commands" ? ofGroup : ofGroup.slice(0, unaskedMax);
    return ofGroup
      .filter(({ name, alias = "" }) => matchesSearch(`${name} ${alias}`, query))
      .map((entry) => ({ entry, score: scoreMatch(entry.name, query) ?? 0 }))
      .sort((one, other) => other.score - one.score)
      .slice(0, foundMax)
      .map(({ entry }) => entry);
  });
}
