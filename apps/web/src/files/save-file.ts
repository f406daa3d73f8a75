import { safeFileName } from "@warren/protocol";

/** Browsers read an address only after the click or the drop; a minute is ample. */
export const revokeAfterMs = 60_000;

/** The type of every saved file, so that the browser does not open it in the page. */
export const plainType = "application/octet-stream";

/** An address for saving a file, valid until it is revoked. */
export function downloadAddress(file: File): string {
  return URL.createObjectURL(new Blob([file], { type: plainType }));
}

/** Saves a file to the downloads. */
export function saveFile(file: File): void {
  const url = downloadAddress(file);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = safeFileName(file.name);
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}
