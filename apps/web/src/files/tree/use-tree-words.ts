import type { FileDescription } from "@warren/protocol";
import type { Translate } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";

/** What a file or tree is called: loose files, which have no name together, by their number. */
export function treeName(
  { fileName, tree }: Pick<FileDescription, "fileName" | "tree">,
  t: Translate,
): string {
  if (tree?.kind !== "files") return fileName;
  return tree.pictures
    ? t("common.pictures", { count: tree.files })
    : t("common.files", { count: tree.files });
}

/** As {@link treeName}, in the language in use. */
export function useTreeName(file: FileDescription): string {
  return treeName(file, useT());
}
