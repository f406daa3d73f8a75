import { useState } from "react";
import { type OptionalFileColumn, optionalFileColumns } from "../../features/files/file-columns.ts";
import type { Breakpoint } from "../../hooks/use-media-query.ts";
import { localKeyValueStorage } from "../../platform/local-key-value-storage.ts";

const storageKey = "hidden_file_columns";
const storage = localKeyValueStorage(() => {});

/** The columns of the file page that are put away, kept between visits; a narrow screen begins with fewer. */
export function useHiddenColumns(
  breakpoint: Breakpoint,
): readonly [hidden: readonly OptionalFileColumn[], set: (hidden: readonly OptionalFileColumn[]) => void] {
  const [chosen, setChosen] = useState(() => read(storage.read(storageKey)));
  const set = (hidden: readonly OptionalFileColumn[]): void => {
    setChosen(hidden);
    storage.write(storageKey, hidden.join(" "));
  };
  return [chosen ?? (breakpoint === "desktop" ? none : narrow), set];
}

const none: readonly OptionalFileColumn[] = [];
const narrow: readonly OptionalFileColumn[] = ["lastModified", "createdAt", "mimeType"];

function read(stored: string | null): readonly OptionalFileColumn[] | null {
  if (stored === null) return null;
  const words = stored.split(" ");
  return optionalFileColumns.filter((column) => words.includes(column));
}
