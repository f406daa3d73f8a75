const canShare = typeof navigator === "object" && typeof navigator.share === "function";

/** Opens the system's share sheet. @returns false if it was closed, which is not a failure */
async function share(data: ShareData): Promise<boolean> {
  try {
    await navigator.share(data);
    return true;
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === "AbortError") return false;
    throw failure;
  }
}

/** Hands a link to the system's share sheet. Null if there is none. */
export const shareLink:
  | ((link: { readonly title: string; readonly url: string }) => Promise<boolean>)
  | null = canShare ? share : null;

/** Hands files to the system's share sheet. Null if it accepts none. */
export const shareFiles: ((files: readonly File[]) => Promise<boolean>) | null =
  canShare && takesFiles() ? (files) => share({ files: [...files] }) : null;

/** Every share sheet accepts a text file. */
function takesFiles(): boolean {
  const probe = new File([""], "a.txt", { type: "text/plain" });
  return typeof navigator.canShare === "function" && navigator.canShare({ files: [probe] });
}
