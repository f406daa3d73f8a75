import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { picturePixelsMax, pixelsOf } from "../../people/picture-size.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { useWarren } from "../../ui/warren-context.tsx";
import { fileIcon } from "../file-kind.ts";
import { previewKind, sniffedBytes } from "../preview-kind.ts";
import { openItem, type PreviewItem } from "./preview-item.ts";

/** A file's preview, or the reason why there is none. Needs a key per file. */
export function PreviewBody({ item }: { readonly item: PreviewItem }) {
  const t = useT();
  const { files } = useWarren();
  const { fileName, mimeType } = item;
  const content = usePreviewContent(useCallback(() => openItem(files, item), [files, item]));
  const [isBroken, setBroken] = useState(false);
  const Glyph = fileIcon(fileName, mimeType);
  const fail = (): void => setBroken(true);

  if (content.status === "loading") {
    return (
      <Well>
        <Spinner size={20} className="text-text-2" />
        <span className="sr-only">{t("common.loading")}</span>
      </Well>
    );
  }
  if (isBroken || !isShowable(content)) {
    const reasons = {
      gone: t("file.notHere", { file: fileName }),
      "too-large": t("preview.tooLarge"),
      unsupported: t("unsupported.preview"),
    };
    return (
      <Well>
        <div className="flex flex-col items-center gap-2 p-6 text-center">
          <Glyph size={28} className="stroke-[1.5] text-text-2" />
          <p className="text-body text-text-2">
            {reasons[isShowable(content) ? "unsupported" : content.status]}
          </p>
        </div>
      </Well>
    );
  }
  if (content.status === "text") return <TextBody text={content.text} isCut={content.isCut} />;
  const fit = "max-h-[calc(100dvh-240px)] max-w-full";
  return (
    <Well>
      {content.kind === "image" && (
        <img src={content.url} alt={fileName} className={`${fit} object-contain`} onError={fail} />
      )}
      {content.kind === "video" && (
        // biome-ignore lint/a11y/useMediaCaption: a user's own file has no captions
        <video src={content.url} controls playsInline aria-label={fileName} className={fit} onError={fail} />
      )}
      {content.kind === "audio" && (
        // biome-ignore lint/a11y/useMediaCaption: a user's own file has no captions
        <audio src={content.url} controls aria-label={fileName} className="m-6 w-full" onError={fail} />
      )}
    </Well>
  );
}

type Showable = Extract<PreviewContent, { status: "text" | "media" }>;

function isShowable(content: PreviewContent): content is Showable {
  return content.status === "text" || content.status === "media";
}

/** Always plain text: displayed, never interpreted. */
function TextBody({ text, isCut }: { readonly text: string; readonly isCut: boolean }) {
  const t = useT();
  const format = useFormat();
  return (
    <>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
        tabIndex={0}
        aria-label={t("preview.text")}
        className="mt-4 max-h-[calc(100dvh-260px)] min-h-40 overflow-auto rounded-card bg-sunken p-4 outline-offset-[-2px]"
      >
        <pre className="whitespace-pre-wrap break-words font-mono text-text">{text}</pre>
      </section>
      {isCut && (
        <p className="mt-2 text-meta text-text-2">
          {t("preview.cut", { size: format.size(shownTextBytes) })}
        </p>
      )}
    </>
  );
}

function Well({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mt-4 flex min-h-40 items-center justify-center overflow-hidden rounded-card bg-sunken">
      {children}
    </div>
  );
}

/** The number of bytes shown of a text. */
const shownTextBytes = 256 * 1024;

/** The preview of a file. */
type PreviewContent =
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
function usePreviewContent(open: OpenFile): PreviewContent {
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
