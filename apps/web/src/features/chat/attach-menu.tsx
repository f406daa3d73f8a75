import { useRef } from "react";
import { useDevice } from "../../components/device-context.tsx";
import { printedKeys } from "../../components/printed-keys.ts";
import { useRun } from "../../components/use-run.ts";
import { useT } from "../../i18n/use-t.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { AddIcon, ClipboardIcon, FolderIcon } from "../../ui/icons.tsx";
import { FileIcon } from "../../ui/later-icons.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { toast } from "../../ui/toaster.tsx";
import { folderOfFiles } from "./read-folder.ts";
import type { Send } from "./use-send.ts";

/** Reads the clipboard, because the person asked for it, and sends its text. */
function useSendClipboard(send: Send): () => Promise<void> {
  const t = useT();
  const { readClipboard } = useDevice();
  return async () => {
    const read = await readClipboard();
    if (read.status === "read" && read.text.trim() !== "") send.clipboard(read.text);
    else if (read.status === "read") toast.info(t("composer.clipboardEmpty"));
    else if (read.status === "unsupported") toast.error(t("unsupported.clipboard"));
    else toast.error(printedKeys(t("composer.clipboardDenied")));
  };
}

/** Asks for a folder and sends it. Null where only the browser's older picker, an input, can ask. */
function useSendFolder(send: Send): (() => Promise<void>) | null {
  const run = useRun();
  const { pickFolder } = useDevice();
  return (
    pickFolder &&
    (async () => {
      await run(async () => {
        const folder = await pickFolder();
        if (folder !== null) await send.items({ files: [], folders: [folder] });
      });
    })
  );
}

/** The button that opens what can be sent besides words. */
export function AttachMenu({ send }: { readonly send: Send }) {
  const t = useT();
  const picker = useRef<HTMLInputElement>(null);
  const folderPicker = useRef<HTMLInputElement>(null);
  const sendClipboard = useSendClipboard(send);
  const sendFolder = useSendFolder(send);
  const { picksHandles, pickFiles } = useDevice();
  const run = useRun();
  // A file may go away between being chosen and being opened.
  const sendPicked = () =>
    run(async () => {
      const files = await pickFiles({ multiple: true });
      if (files.length > 0) await send.items({ files, folders: [] });
    });
  return (
    <>
      <Menu
        align="start"
        side="top"
        trigger={<IconButton icon={AddIcon} iconSize={20} label={t("composer.attach")} tooltipSide="top" />}
      >
        <MenuItem
          icon={FileIcon}
          onSelect={() => (picksHandles() ? void sendPicked() : picker.current?.click())}
        >
          {t("composer.files")}
        </MenuItem>
        <MenuItem
          icon={FolderIcon}
          onSelect={() => (sendFolder ? void sendFolder() : folderPicker.current?.click())}
        >
          {t("composer.folder")}
        </MenuItem>
        <MenuItem icon={ClipboardIcon} onSelect={() => void sendClipboard()}>
          {t("composer.clipboard")}
        </MenuItem>
      </Menu>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t("composer.files")}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Emptied, so that the same file can be picked again.
          target.value = "";
          void send.items({ files, folders: [] });
        }}
      />
      <input
        ref={(input) => {
          folderPicker.current = input;
          if (input) input.webkitdirectory = true;
        }}
        type="file"
        hidden
        aria-label={t("composer.folder")}
        onChange={({ target }) => {
          const tree = folderOfFiles([...(target.files ?? [])]);
          target.value = "";
          if (tree !== null) void send.tree(tree);
        }}
      />
    </>
  );
}

/** Sends the clipboard's text in one press. */
export function ClipboardButton({ send, className }: { readonly send: Send; readonly className?: string }) {
  const t = useT();
  const sendClipboard = useSendClipboard(send);
  return (
    <IconButton
      icon={ClipboardIcon}
      label={t("composer.sendClipboard")}
      tooltipSide="top"
      className={className}
      onClick={() => void sendClipboard()}
    />
  );
}
