/** Ends the previous picker, in browsers that do not report a cancelled one. */
let endPrevious: (() => void) | null = null;

/**
 * Picks files with an input, which every browser supports; none if the user cancels. The input stays in the
 * page until it is answered, whatever the page shows meanwhile: WebKit drops the answer to one that is not in
 * the document.
 */
export function pickByInput({
  multiple = false,
  accept = "",
  takesPhoto = false,
  folder = false,
}: {
  readonly multiple?: boolean;
  readonly accept?: string | undefined;
  /** Opens a phone's camera instead of a list of files. */
  readonly takesPhoto?: boolean | undefined;
  readonly folder?: boolean;
}): Promise<readonly File[]> {
  endPrevious?.();
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = multiple;
  input.accept = accept;
  if (takesPhoto) input.capture = "environment";
  input.webkitdirectory = folder;
  input.hidden = true;
  document.body.append(input);
  return new Promise((resolve) => {
    const end = (): void => {
      if (endPrevious === end) endPrevious = null;
      input.remove();
      resolve([...(input.files ?? [])]);
    };
    endPrevious = end;
    input.addEventListener("change", end);
    input.addEventListener("cancel", end);
    input.click();
  });
}
