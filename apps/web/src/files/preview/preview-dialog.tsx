import type { Warren } from "@warren/core";
import { type FileDescription, WarrenError } from "@warren/protocol";
import { type KeyboardEvent, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { translate } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { claimsPicture } from "../../pictures/picture-type.ts";
import { Button } from "../../ui/button.tsx";
import { useSwipe } from "../../ui/hooks/use-swipe.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { BackIcon, ChevronRightIcon, CopyIcon, ForwardIcon, SaveIcon } from "../../ui/icons.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { MiddleEllipsis } from "../../ui/text/middle-ellipsis.tsx";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import type { Platform } from "../../wiring/platform-context.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { forward } from "../forward/forward.ts";
import { saveFiles } from "../save/save-file.ts";
import { saveStoredFiles } from "../save/save-stored-files.ts";
import { useCopyPicture } from "../use-copy-picture.ts";
import { PreviewBody } from "./preview-body.tsx";
import { openItem, type PreviewItem, storedItem } from "./preview-item.ts";
import type { Encoding } from "./text-languages.ts";

/** Previews a complete file of this browser; the arrow keys page through `among`. */
export function preview(
  warren: Warren,
  platform: Platform,
  file: FileDescription,
  among: readonly FileDescription[] = [file],
): Promise<void> {
  return previewItems(warren, platform, among.map(storedItem), file.fid);
}

/**
 * Previews files of this browser or entries of trees, starting at the one with a key; the preview can save and forward them.
 */
export async function previewItems(
  warren: Warren,
  platform: Platform,
  items: readonly PreviewItem[],
  startKey: string,
): Promise<void> {
  const at = items.findIndex(({ key }) => key === startKey);
  const result = await openDialog(PreviewDialog, { items, startIndex: Math.max(0, at) });
  if (result.cancelled) return;
  const { verb, item } = result.value;
  const { file, entry, fileName } = item;
  if (entry === null && verb === "save") {
    await saveStoredFiles(warren.files, platform, [file]);
    return;
  }
  if (entry === null) {
    await forward(warren, [{ type: "cache", fid: file.fid, fileName }]);
    return;
  }
  let opened: File | null = null;
  await withErrorToast(
    async () => {
      opened = await openItem(warren.files, item);
      if (opened === null) throw new WarrenError("cache-not-found", { id: file.fid });
      if (verb === "save") await saveFiles([opened], platform);
    },
    translate("file.notHere", { file: fileName }),
  );
  if (opened !== null && verb === "forward") await forward(warren, [{ type: "file", file: opened }]);
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
      closable
      size="2xl"
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
        <div className="mt-4 flex flex-wrap items-center gap-1 max-md:-ml-3 md:gap-2">
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
          <span className="flex flex-1 flex-wrap justify-end gap-1 max-md:[&_svg]:hidden max-[360px]:basis-full md:gap-2">
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
