import { safeFileName } from "@warren/protocol";

/** Browsers begin to read an address after the click or the drop; a minute later they certainly have. */
export const revokeAfterMs = 60_000;

/** The type of everything that leaves for the disk, so that nothing is opened in the page. */
export const plainType = "application/octet-stream";

/** An address to save a file from, until it is revoked. */
export function downloadAddress(file: File): string {
  return URL.createObjectURL(new Blob([file], { type: plainType }));
}

/** Saves a file to the person's downloads. */
export function saveFile(file: File): void {
  const url = downloadAddress(file);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = safeFileName(file.name);
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}
