import { useEffect, useState } from "react";
import { picturePixelsMax, pixelsOf } from "../people/picture-size.ts";
import { previewKind, sniffedBytes } from "./preview-kind.ts";

/** The number of bytes shown of a text. */
export const shownTextBytes = 256 * 1024;

/** The preview of a file. */
export type PreviewContent =
  | { readonly status: "loading" }
  /** Its bytes are not in this browser. */
  | { readonly status: "gone" }
  /** A kind without a preview; a PDF is only offered for saving. */
  | { readonly status: "unsupported" }
  /** A picture with more pixels than are decoded here. */
  | { readonly status: "too-large" }
  | { readonly status: "media"; readonly kind: "image" | "video" | "audio"; readonly url: string }
  | { readonly status: "text"; readonly text: string; readonly isCut: boolean };

const loading: PreviewContent = { status: "loading" };

type OpenFile = () => Promise<File | null>;

/**
 * Opens a complete file for preview, and again when `open` changes. Its kind is detected from its bytes; an
 * address is only created for previewable kinds.
 */
export function usePreviewContent(open: OpenFile): PreviewContent {
  const [content, setContent] = useState<{ readonly open: OpenFile; readonly content: PreviewContent }>();
  useEffect(() => {
    let url: string | undefined;
    let isCurrent = true;
    const read = async (): Promise<PreviewContent> => {
      const file = await open();
      if (file === null) return { status: "gone" };
      const kind = previewKind(new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer()), file.name);
      if (kind.kind === "none" || kind.kind === "pdf") return { status: "unsupported" };
      if (kind.kind === "image") {
        const pixels = await pixelsOf(file);
        if (pixels === null) return { status: "unsupported" };
        if (pixels > picturePixelsMax) return { status: "too-large" };
      }
      if (kind.kind !== "text") {
        // Only if the component is still mounted: otherwise nothing would revoke it.
        if (!isCurrent) return loading;
        url = URL.createObjectURL(new Blob([file], { type: kind.type }));
        return { status: "media", kind: kind.kind, url };
      }
      const bytes = await file.slice(0, shownTextBytes).arrayBuffer();
      const text = new TextDecoder(kind.encoding).decode(bytes, { stream: true });
      return { status: "text", text, isCut: file.size > shownTextBytes };
    };
    read().then(
      (next) => isCurrent && setContent({ open, content: next }),
      () => isCurrent && setContent({ open, content: { status: "gone" } }),
    );
    return () => {
      isCurrent = false;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [open]);
  return content?.open === open ? content.content : loading;
}
