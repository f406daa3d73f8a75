import { safeFileName } from "@warren/protocol";

/** Browsers begin to read the address after the click; a minute later they certainly have. */
const revokeAfterMs = 60_000;

/** Saves a file to the person's downloads. It is never opened in the page: its type is plain bytes. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(new Blob([file], { type: "application/octet-stream" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = safeFileName(file.name);
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}
