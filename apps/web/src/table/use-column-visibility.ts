import { useState } from "react";
import { usePlatform } from "../wiring/platform-context.ts";

/** The columns that a list can hide, and the current choice. */
export interface ColumnVisibility<Id extends string> {
  readonly hidden: readonly Id[];
  readonly onHide: (hidden: readonly Id[]) => void;
}

/** The choice for a list, persisted in this browser under `key`; `byDefault` until there is one. */
export function useColumnVisibility<Id extends string>(
  key: string,
  all: readonly Id[],
  byDefault: readonly Id[],
): ColumnVisibility<Id> {
  const { storage } = usePlatform();
  const [chosen, setChosen] = useState(() => {
    const names = storage.read(key)?.split(" ");
    return names && all.filter((name) => names.includes(name));
  });
  const onHide = (hidden: readonly Id[]): void => {
    setChosen([...hidden]);
    storage.write(key, hidden.join(" "));
  };
  return { hidden: chosen ?? byDefault, onHide };
}
