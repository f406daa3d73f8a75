import { useState } from "react";
import { localKeyValueStorage } from "../../platform/local-key-value-storage.ts";

const storage = localKeyValueStorage(() => {});

/** Hidden columns, persisted per list; `byDefault` until the user has chosen. */
export function useHidden<T extends string>(
  key: string,
  all: readonly T[],
  byDefault: readonly T[],
): readonly [hidden: readonly T[], set: (hidden: readonly T[]) => void] {
  const [chosen, setChosen] = useState(() => read(key, all));
  const set = (hidden: readonly T[]): void => {
    setChosen(hidden);
    storage.write(key, hidden.join(" "));
  };
  return [chosen ?? byDefault, set];
}

function read<T extends string>(key: string, all: readonly T[]): readonly T[] | null {
  const words = storage.read(key)?.split(" ");
  return words ? all.filter((name) => words.includes(name)) : null;
}
