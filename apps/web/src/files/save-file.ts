import { safeFileName } from "@warren/protocol";
import { translate } from "../i18n/i18n.ts";
import type { Device } from "../ui/device-context.tsx";
import { toast } from "../ui/toaster.tsx";

/** Browsers read an address only after the click or the drop; a minute is ample. */
export const revokeAfterMs = 60_000;

/** The type of every saved file, so that the browser does not open it in the page. */
export const plainType = "application/octet-stream";

/** An address for saving a file, valid until it is revoked. */
export function downloadAddress(file: File): string {
  return URL.createObjectURL(new Blob([file], { type: plainType }));
}

type SavedListener = (file: File) => void | Promise<void>;

/**
 * Saves files to the downloads, or where a browser has none, by the share sheet.
 * @param onSaved is called for each file, once it is saved
 */
export async function saveFiles(
  files: readonly File[],
  { savesBySharing, shareFiles }: Pick<Device, "savesBySharing" | "shareFiles">,
  onSaved: SavedListener = () => {},
): Promise<void> {
  if (savesBySharing && shareFiles !== null) {
    const named = files.map((file) => new File([file], safeFileName(file.name), { type: file.type }));
    const share = async (): Promise<void> => {
      if (await shareFiles(named)) for (const file of files) await onSaved(file);
    };
    await share().catch((failure: unknown) => {
      if (!needsTap(failure)) throw failure;
      askForTap(named, share);
    });
    return;
  }
  for (const file of files) {
    download(file);
    await onSaved(file);
  }
}

/** The share sheet opens only shortly after a tap, and only once at a time. */
function needsTap(failure: unknown): boolean {
  return (
    failure instanceof DOMException &&
    (failure.name === "NotAllowedError" || failure.name === "InvalidStateError")
  );
}

function askForTap(files: readonly File[], share: () => Promise<void>): void {
  const reportFailure = (failure: unknown): void => {
    const error = failure instanceof Error ? failure.message : String(failure);
    toast.error(translate("toast.shareFailed", { error }));
  };
  const [file] = files;
  const title =
    file !== undefined && files.length === 1
      ? translate("file.readyToSave", { file: file.name })
      : translate("file.manyReadyToSave", { count: files.length });
  toast.info(title, {
    duration: Number.POSITIVE_INFINITY,
    action: { label: translate("file.save"), onClick: () => void share().catch(reportFailure) },
  });
}

function download(file: File): void {
  const url = downloadAddress(file);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = safeFileName(file.name);
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}
