import { type FileDescription, WarrenError } from "@warren/protocol";
import { type KeyboardEvent, useCallback, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { claimsPicture } from "../../pictures/picture-type.ts";
import { Button } from "../../ui/button.tsx";
import { useSwipe } from "../../ui/hooks/use-swipe.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { BackIcon, ChevronRightIcon, CopyIcon, ForwardIcon, SaveIcon } from "../../ui/icons.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { useDevice } from "../../wiring/device-context.tsx";
import { openDialog } from "../../wiring/dialogs/open-dialog.tsx";
import { useRun } from "../../wiring/use-run.ts";
import { useWarren } from "../../wiring/warren-context.tsx";
import { useForward } from "../forward/forward-dialog.tsx";
import { saveFiles } from "../save/save-file.ts";
import { useSaveFiles } from "../save/use-save-files.ts";
import { useCopyPicture } from "../use-copy-picture.ts";
import { PreviewBody } from "./preview-body.tsx";
import { openItem, type PreviewItem, storedItem } from "./preview-item.ts";
import type { Encoding } from "./text-languages.ts";

/** Previews a complete file of this browser; the arrow keys page through `among`. */
export type Preview = (file: FileDescription, among?: readonly FileDescription[]) => void;

/** Returns a function that previews a file; the preview can save and forward it. */
export function usePreview(): Preview {
  const showItems = usePreviewOfItems();
  return useCallback((file, among = [file]) => void showItems(among.map(storedItem), file.fid), [showItems]);
}

/**
 * Returns a function that previews files of this browser or entries of trees, starting at the one with a key.
 */
export function usePreviewOfItems(): (items: readonly PreviewItem[], startKey: string) => Promise<void> {
  const t = useT();
  const run = useRun();
  const { files } = useWarren();
  const saveWhole = useSaveFiles();
  const device = useDevice();
  const forward = useForward();
  return useCallback(
    async (items, startKey) => {
      const at = items.findIndex(({ key }) => key === startKey);
      const result = await openDialog(PreviewDialog, { items, startIndex: Math.max(0, at) });
      if (result.cancelled) return;
      const { verb, item } = result.value;
      const { file, entry, fileName } = item;
      if (entry === null && verb === "save") {
        await saveWhole([file]);
        return;
      }
      if (entry === null) {
        await forward([{ type: "cache", fid: file.fid, fileName }]);
        return;
      }
      let opened: File | null = null;
      await run(
        async () => {
          opened = await openItem(files, item);
          if (opened === null) throw new WarrenError("cache-not-found", { id: file.fid });
          if (verb === "save") await saveFiles([opened], device);
        },
        t("file.notHere", { file: fileName }),
      );
      if (opened !== null && verb === "forward") await forward([{ type: "file", file: opened }]);
    },
    [t, run, files, device, saveWhole, forward],
  );
}

/** The action chosen for the previewed file. */
interface PreviewChoice {
  readonly verb: "save" | "forward";
  readonly item: PreviewItem;
}

interface PreviewDialogProps extends DialogSlot<PreviewChoice> {
  /** The list to page through; at least one item. */
  readonly items: readonly PreviewItem[];
  readonly startIndex: number;
}

/**
 * Previews a file as large as the window allows. Buttons, arrow keys and swipes move to its neighbours in the
 * list, which are read only then.
 */
function PreviewDialog({ items, startIndex, dialog }: PreviewDialogProps) {
  const t = useT();
  const format = useFormat();
  const [index, setIndex] = useState(startIndex);
  const [chosenEncodings, setChosenEncodings] = useState<ReadonlyMap<string, Encoding>>(new Map());
  const item = items[index];
  const step = (by: number): void =>
    setIndex((before) => Math.min(items.length - 1, Math.max(0, before + by)));
  const { files } = useWarren();
  const copyPicture = useCopyPicture();
  const swipe = useSwipe((to) => step(to === "left" ? 1 : -1));
  if (item === undefined) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    // A media player and the choice of encoding use the arrow keys themselves.
    if (event.target instanceof Element && event.target.closest("video, audio, select") !== null) return;
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else return;
    event.preventDefault();
  };
  const position = t("preview.position", { index: index + 1, count: items.length });
  const size = format.size(item.sizeBytes);
  return (
    <Dialog
      dialog={dialog}
      initialFocus="top"
      // Handles the shortcuts of the buttons below, wherever the focus is.
      onKeyDown={onKeyDown}
      title={<MiddleEllipsis text={item.fileName} />}
      description={items.length > 1 ? t("preview.sizeAndPosition", { size, position }) : size}
      closeLabel={t("common.close")}
      className="md:w-[min(960px,calc(100dvw-64px))]! md:max-w-none!"
    >
      <div className="flex min-h-0 flex-col">
        <div {...swipe} className="touch-pan-y touch-pinch-zoom">
          <PreviewBody
            key={item.key}
            item={item}
            encoding={chosenEncodings.get(item.key)}
            onEncoding={(encoding) => setChosenEncodings((before) => new Map(before).set(item.key, encoding))}
          />
        </div>
        <div className="mt-4 flex flex-wrap items-center gap-1 md:gap-2">
          {items.length > 1 && (
            <>
              <IconButton
                icon={BackIcon}
                label={t("preview.previous")}
                tooltipSide="top"
                disabledReason={index === 0 ? t("preview.first") : undefined}
                onClick={() => step(-1)}
              />
              <IconButton
                icon={ChevronRightIcon}
                label={t("preview.next")}
                tooltipSide="top"
                disabledReason={index === items.length - 1 ? t("preview.last") : undefined}
                onClick={() => step(1)}
              />
              <span aria-live="polite" className="sr-only">
                {t("preview.nameAndPosition", { name: item.fileName, position })}
              </span>
            </>
          )}
          <span className="flex flex-1 flex-wrap justify-end gap-1 max-[360px]:basis-full md:gap-2">
            <Button
              variant="ghost"
              icon={ForwardIcon}
              onClick={() => dialog.submit({ verb: "forward", item })}
            >
              {t("common.forward")}
            </Button>
            {copyPicture !== null && claimsPicture(item) && (
              <Button
                variant="ghost"
                icon={CopyIcon}
                onClick={() => void copyPicture(() => openItem(files, item))}
              >
                {t("common.copy")}
              </Button>
            )}
            <Button icon={SaveIcon} onClick={() => dialog.submit({ verb: "save", item })}>
              {t("file.save")}
            </Button>
          </span>
        </div>
      </div>
    </Dialog>
  );
}
