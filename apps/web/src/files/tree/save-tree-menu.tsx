import type { FileDescription } from "@warren/protocol";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { ArchiveIcon, FolderIcon } from "../../ui/icons.ts";
import { MenuItem } from "../../ui/menu-items.tsx";
import { Menu } from "../../ui/overlays.tsx";
import { useSaveTree } from "./use-save-tree.ts";
import { useTreeName } from "./use-tree-words.ts";

/** The button that saves a tree: to a folder or as a zip, if the browser supports both. */
export function SaveTreeMenu({ file }: { readonly file: FileDescription }) {
  const t = useT();
  const { asZip, toFolder } = useSaveTree(file);
  const label = `${t("file.save")}: ${useTreeName(file)}`;
  if (toFolder === null)
    return (
      <Button size="sm" aria-label={label} onClick={asZip}>
        {t("file.save")}
      </Button>
    );
  return (
    <Menu
      trigger={
        <Button size="sm" aria-label={label}>
          {t("file.save")}
        </Button>
      }
    >
      <MenuItem icon={FolderIcon} onSelect={toFolder}>
        {t("folders.saveToFolder")}
      </MenuItem>
      <MenuItem icon={ArchiveIcon} onSelect={asZip}>
        {t("folders.saveAsZip")}
      </MenuItem>
    </Menu>
  );
}
