import type { FileId } from "@warren/protocol";
import { useEffect, useState } from "react";
import { previewKind, sniffedBytes } from "./preview-kind.ts";
import { useWarren } from "./warren-context.tsx";

/** How much of a text is shown. */
export const shownTextBytes = 256 * 1024;

/** What of a file can be shown now. */
export type PreviewContent =
  | { readonly status: "loading" }
  /** Its bytes are not in this browser. */
  | { readonly status: "gone" }
  /** Of a kind that is not shown; a PDF is only offered for saving. */
  | { readonly status: "unsupported" }
  | { readonly status: "media"; readonly kind: "image" | "video" | "audio"; readonly url: string }
  | { readonly status: "text"; readonly text: string; readonly isCut: boolean };

const loading: PreviewContent = { status: "loading" };

/** Opens a complete file, by its id or as it is, to be shown. Its kind comes from its bytes; an address is only made for what is on the list. */
export function usePreviewContent(of: FileId | File): PreviewContent {
  const { files } = useWarren();
  const [content, setContent] = useState<{ readonly of: FileId | File; readonly content: PreviewContent }>();
  useEffect(() => {
    let url: string | undefined;
    let isCurrent = true;
    const read = async (): Promise<PreviewContent> => {
      const file = typeof of === "string" ? await files.open(of) : of;
      if (file === null) return { status: "gone" };
      const kind = previewKind(new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer()), file.name);
      if (kind.kind === "none" || kind.kind === "pdf") return { status: "unsupported" };
      if (kind.kind !== "text") {
        // Not before we know that somebody still looks: nobody else would let go of it.
        if (!isCurrent) return loading;
        url = URL.createObjectURL(new Blob([file], { type: kind.type }));
        return { status: "media", kind: kind.kind, url };
      }
      const bytes = await file.slice(0, shownTextBytes).arrayBuffer();
      const text = new TextDecoder(kind.encoding).decode(bytes, { stream: true });
      return { status: "text", text, isCut: file.size > shownTextBytes };
    };
    read().then(
      (next) => isCurrent && setContent({ of, content: next }),
      () => isCurrent && setContent({ of, content: { status: "gone" } }),
    );
    return () => {
      isCurrent = false;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [files, of]);
  return content?.of === of ? content.content : loading;
}
