import type { FileDescription } from "@warren/protocol";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { ArchiveIcon, FolderIcon } from "../../ui/icons.ts";
import { Menu, MenuItem } from "../../ui/overlays/menu.tsx";
import { useTreeName } from "./tree-name.ts";
import { useSaveTree } from "./use-save-tree.ts";

/** The button that saves a tree: to a folder or as a zip, if the browser supports both. */
export function SaveTreeMenu({ file }: { readonly file: FileDescription }) {
  const t = useT();
  const { asZip, toFolder } = useSaveTree(file);
  const label = t("common.actionOf", { action: t("file.save"), name: useTreeName(file) });
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
      <SaveTreeItems file={file} />
    </Menu>
  );
}

/** A folder is saved as a folder or as a zip. */
export function SaveTreeItems({ file }: { readonly file: FileDescription }) {
  const t = useT();
  const { asZip, toFolder } = useSaveTree(file);
  return (
    <>
      {toFolder !== null && (
        <MenuItem icon={FolderIcon} onSelect={toFolder}>
          {t("folders.saveToFolder")}
        </MenuItem>
      )}
      <MenuItem icon={ArchiveIcon} onSelect={asZip}>
        {t("folders.saveAsZip")}
      </MenuItem>
    </>
  );
}
