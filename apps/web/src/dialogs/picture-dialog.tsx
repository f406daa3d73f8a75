import { usePicture } from "../components/use-picture.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { SaveIcon } from "../ui/icons.tsx";
import type { DialogSlot } from "./open-dialog.tsx";

interface PictureDialogProps extends DialogSlot<"save"> {
  /** A file's id, or a file. */
  readonly picture: string | File;
  readonly fileName: string;
}

/** A picture as large as the window allows; submits `save` when the person wants it on their disk. */
export function PictureDialog({ picture: of, fileName, dialog }: PictureDialogProps) {
  const t = useT();
  const picture = usePicture(of);
  return (
    <Dialog
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      title={<span className="block truncate">{fileName}</span>}
      closeLabel={t("common.close")}
      className="md:w-fit! md:min-w-[360px] md:max-w-[calc(100dvw-64px)]"
    >
      <div className="mt-4 flex min-h-40 items-center justify-center overflow-hidden rounded-card bg-sunken">
        {picture.status === "ready" && (
          <img
            src={picture.url}
            alt={fileName}
            className="max-h-[calc(100dvh-220px)] max-w-full object-contain"
          />
        )}
        {picture.status === "none" && <p className="p-6 text-text-2">{t("unsupported.preview")}</p>}
      </div>
      <DialogFooter>
        <Button icon={SaveIcon} onClick={() => dialog.submit("save")}>
          {t("file.save")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
