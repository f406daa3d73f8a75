import type { FileDescription } from "@warren/protocol";
import type { Translate } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";

/** The name of a file or tree. Loose files have no name in common: pictures are counted, others are called after the first of them. */
export function treeName(
  { fileName, tree }: Pick<FileDescription, "fileName" | "tree">,
  t: Translate,
): string {
  if (tree?.kind !== "files") return fileName;
  if (tree.pictures) return t("common.pictures", { count: tree.files });
  return tree.files < 2 ? fileName : t("common.nameAndMore", { name: fileName, count: tree.files - 1 });
}

/** As {@link treeName}, in the current language. */
export function useTreeName(file: FileDescription): string {
  return treeName(file, useT());
}
