import { type ReactNode, useCallback, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { useWarren } from "../../wiring/warren-context.ts";
import { fileIcon } from "../file-kind.ts";
import { openItem, type PreviewItem } from "./preview-item.ts";
import { TextBody } from "./text-body.tsx";
import type { Encoding } from "./text-languages.ts";
import { type MediaContent, usePreviewContent } from "./use-preview-content.ts";

interface PreviewBodyProps {
  readonly item: PreviewItem;
  /** The encoding that the user chose for the text; undefined to detect it. */
  readonly encoding: Encoding | undefined;
  readonly onEncoding: (encoding: Encoding) => void;
}

/** A file's preview, or the reason why there is none. Needs a key per file. */
export function PreviewBody({ item, encoding, onEncoding }: PreviewBodyProps) {
  const t = useT();
  const { files } = useWarren();
  const content = usePreviewContent(
    useCallback(() => openItem(files, item), [files, item]),
    item.mimeType,
  );
  switch (content.status) {
    case "loading":
      return (
        <Well>
          <Spinner size={20} className="text-text-2" />
          <span className="sr-only">{t("common.loading")}</span>
        </Well>
      );
    case "gone":
      return <NoPreview item={item} reason={t("file.notHere", { file: item.fileName })} />;
    case "too-large":
      return <NoPreview item={item} reason={t("preview.tooLarge")} />;
    case "unsupported":
      return <NoPreview item={item} reason={t("unsupported.preview")} />;
    case "text":
      return <TextBody content={content} encoding={encoding} onEncoding={onEncoding} />;
    case "media":
      return <Media item={item} content={content} />;
  }
}

function NoPreview({ item, reason }: { readonly item: PreviewItem; readonly reason: string }) {
  const Glyph = fileIcon(item.fileName, item.mimeType);
  return (
    <Well>
      <div className="flex flex-col items-center gap-2 p-6 text-center">
        <Glyph size={28} className="stroke-[1.5] text-text-2" />
        <p className="text-body text-text-2">{reason}</p>
      </div>
    </Well>
  );
}

/** A picture, a video or a sound; a file that the browser cannot show after all has no preview. */
function Media({ item, content }: { readonly item: PreviewItem; readonly content: MediaContent }) {
  const t = useT();
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <NoPreview item={item} reason={t("unsupported.preview")} />;
  const { fileName } = item;
  const { kind, url } = content;
  const fail = (): void => setBroken(true);
  const fit = "max-h-[calc(100dvh-240px)] max-w-full";
  return (
    <Well>
      {kind === "image" && (
        <img src={url} alt={fileName} className={`${fit} object-contain`} onError={fail} />
      )}
      {kind === "video" && (
        // biome-ignore lint/a11y/useMediaCaption: a user's own file has no captions
        <video src={url} controls playsInline aria-label={fileName} className={fit} onError={fail} />
      )}
      {kind === "audio" && (
        // biome-ignore lint/a11y/useMediaCaption: a user's own file has no captions
        <audio src={url} controls aria-label={fileName} className="m-6 w-full" onError={fail} />
      )}
    </Well>
  );
}

function Well({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mt-4 flex min-h-40 items-center justify-center overflow-hidden rounded-card bg-sunken">
      {children}
    </div>
  );
}
