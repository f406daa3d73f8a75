import { toWarrenError, WarrenError } from "@warren/protocol";
import { errorText } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { pictureAsPng } from "../pictures/avatar-image.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { toast } from "../wiring/toast.ts";

/** Copies a picture to the clipboard as a PNG; a toast reports the result. Null if the browser cannot. */
export function useCopyPicture(): ((open: () => Promise<File | null>) => Promise<void>) | null {
  const t = useT();
  const { writePicture } = usePlatform();
  if (writePicture === null) return null;
  return async (open) => {
    const png = pngOf(open);
    const write = await writePicture(png);
    if (write.status === "written") {
      toast.success(t("toast.pictureCopied"), { id: "picture/copy" });
      return;
    }
    const fault = await png.then(() => null, toWarrenError);
    const refusal = write.status === "failed" ? write.reason : t("unsupported.clipboard");
    const isTooLarge = fault?.code === "image-too-large";
    const reason = isTooLarge ? t("preview.tooLarge") : fault ? errorText(fault) : refusal;
    toast.error(t("toast.clipboardFailed"), { description: reason });
  };
}

async function pngOf(open: () => Promise<File | null>): Promise<Blob> {
  const file = await open();
  if (file === null) throw new WarrenError("cache-not-found", { id: "" });
  return pictureAsPng(file);
}
