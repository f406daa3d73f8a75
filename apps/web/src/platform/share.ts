/** Hands a link to the system's share sheet; a person who closes the sheet is no failure. Null where there is no sheet. */
export const shareLink: ((link: { readonly title: string; readonly url: string }) => Promise<void>) | null =
  typeof navigator === "object" && typeof navigator.share === "function"
    ? async (link) => {
        try {
          await navigator.share(link);
        } catch (failure) {
          if (!(failure instanceof DOMException && failure.name === "AbortError")) throw failure;
        }
      }
    : null;
