import type { FileDescription } from "@warren/protocol";
import type { Translate } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";

/** The name of a file or tree; loose files have no common name and are counted. */
export function treeName(
  { fileName, tree }: Pick<FileDescription, "fileName" | "tree">,
  t: Translate,
): string {
  if (tree?.kind !== "files") return fileName;
  return tree.pictures
    ? t("common.pictures", { count: tree.files })
    : t("common.files", { count: tree.files });
}

/** As {@link treeName}, in the current language. */
export function useTreeName(file: FileDescription): string {
  return treeName(file, useT());
}
