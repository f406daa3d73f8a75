const canShare = typeof navigator === "object" && typeof navigator.share === "function";

/** Opens the system's share sheet; closing it is not a failure. */
async function share(data: ShareData): Promise<void> {
  try {
    await navigator.share(data);
  } catch (failure) {
    if (!(failure instanceof DOMException && failure.name === "AbortError")) throw failure;
  }
}

/** Hands a link to the system's share sheet. Null if there is none. */
export const shareLink: ((link: { readonly title: string; readonly url: string }) => Promise<void>) | null =
  canShare ? share : null;

/** Hands files to the system's share sheet. Null if it accepts none. */
export const shareFiles: ((files: readonly File[]) => Promise<void>) | null =
  canShare && takesFiles() ? (files) => share({ files: [...files] }) : null;

/** Every share sheet accepts a text file. */
function takesFiles(): boolean {
  const probe = new File([""], "a.txt", { type: "text/plain" });
  return typeof navigator.canShare === "function" && navigator.canShare({ files: [probe] });
}
