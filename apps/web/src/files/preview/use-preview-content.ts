import { useState } from "react";
import { readerLanguages } from "../../i18n/i18n.ts";
import { picturePixelsMax, pixelsOf } from "../../pictures/picture-size.ts";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { claimsText, previewKind, sniffedBytes } from "./preview-kind.ts";
import { detectEncoding } from "./text-encoding.ts";
import type { Encoding } from "./text-languages.ts";

/** The number of bytes shown of a text. */
export const shownTextBytes = 256_000;

/** The preview of a file. */
type PreviewContent =
  | { readonly status: "loading" }
  /** Its bytes are not in this browser. */
  | { readonly status: "gone" }
  /** A kind without a preview; a PDF is only offered for saving. */
  | { readonly status: "unsupported" }
  /** A picture with more pixels than are decoded here. */
  | { readonly status: "too-large" }
  | MediaContent
  | TextContent;

export interface MediaContent {
  readonly status: "media";
  readonly kind: "image" | "video" | "audio";
  readonly url: string;
}

export interface TextContent {
  readonly status: "text";
  readonly bytes: Uint8Array;
  readonly detected: Encoding;
  /** Whether these are only the first bytes of the file. */
  readonly isCut: boolean;
}

const loading: PreviewContent = { status: "loading" };

type OpenFile = () => Promise<File | null>;

/**
 * Opens a complete file for preview, and again when `open` changes. Its kind is detected from its bytes; an
 * address is only created for previewable kinds.
 */
export function usePreviewContent(open: OpenFile, mimeType: string): PreviewContent {
  const [content, setContent] = useState<{ readonly open: OpenFile; readonly content: PreviewContent }>();
  useAbortableEffect(
    (signal) => {
      const read = async (): Promise<PreviewContent> => {
        const file = await open();
        if (file === null) return { status: "gone" };
        const kind = previewKind(await firstBytes(file, sniffedBytes));
        if (kind.kind === "pdf") return { status: "unsupported" };
        if (kind.kind === "image") {
          const pixels = await pixelsOf(file);
          if (pixels === null) return { status: "unsupported" };
          if (pixels > picturePixelsMax) return { status: "too-large" };
        }
        if (kind.kind !== "other") {
          // Only if the component is still mounted: otherwise nothing would revoke it.
          if (signal.aborted) return loading;
          const url = URL.createObjectURL(new Blob([file], { type: kind.type }));
          signal.addEventListener("abort", () => URL.revokeObjectURL(url));
          return { status: "media", kind: kind.kind, url };
        }
        const bytes = await firstBytes(file, shownTextBytes);
        const isText = claimsText({ fileName: file.name, mimeType });
        const detected = detectEncoding(bytes, { isText, readerLanguages: readerLanguages() });
        if (detected === null) return { status: "unsupported" };
        return { status: "text", bytes, detected, isCut: file.size > shownTextBytes };
      };
      read().then(
        (next) => !signal.aborted && setContent({ open, content: next }),
        () => !signal.aborted && setContent({ open, content: { status: "gone" } }),
      );
    },
    [open, mimeType],
  );
  return content?.open === open ? content.content : loading;
}

async function firstBytes(file: File, count: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, count).arrayBuffer());
}
