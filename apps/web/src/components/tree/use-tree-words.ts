import type { FileDescription } from "@warren/protocol";
import { useT } from "../../i18n/use-t.ts";

/** What a file or tree is called: loose files, which have no name together, by their number. */
export function useTreeName({ fileName, tree }: FileDescription): string {
  const t = useT();
  return tree?.kind === "files" ? t("common.files", { count: tree.files }) : fileName;
}
