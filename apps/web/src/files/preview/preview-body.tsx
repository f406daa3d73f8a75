import { type ReactNode, useCallback, useId, useMemo, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { readerLanguages } from "../../i18n/i18n.ts";
import type { TextKey } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";
import { picturePixelsMax, pixelsOf } from "../../pictures/picture-size.ts";
import { Select } from "../../ui/fields/select.tsx";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { useWarren } from "../../wiring/warren-context.ts";
import { fileIcon } from "../file-kind.ts";
import { openItem, type PreviewItem } from "./preview-item.ts";
import { claimsText, previewKind, sniffedBytes } from "./preview-kind.ts";
import { decodeText, detectEncoding } from "./text-encoding.ts";
import { type Encoding, encodings } from "./text-languages.ts";

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
  const { fileName, mimeType } = item;
  const content = usePreviewContent(
    useCallback(() => openItem(files, item), [files, item]),
    mimeType,
  );
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
  if (content.status === "text")
    return <TextBody content={content} encoding={encoding} onEncoding={onEncoding} />;
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

interface TextBodyProps extends Omit<PreviewBodyProps, "item"> {
  readonly content: TextContent;
}

/** Always plain text: displayed, never interpreted. */
function TextBody({ content, encoding: chosen, onEncoding }: TextBodyProps) {
  const t = useT();
  const format = useFormat();
  const { bytes, detected, isCut } = content;
  const encoding = chosen ?? detected;
  const text = useMemo(() => decodeText(bytes, encoding, isCut), [bytes, encoding, isCut]);
  // ASCII is the same in every encoding.
  const hasChoice = useMemo(
    () => detected !== "utf-8" || bytes.some((byte) => byte >= 0x80),
    [bytes, detected],
  );
  return (
    <>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
        tabIndex={0}
        aria-label={t("preview.text")}
        className="mt-4 max-h-[calc(100dvh-300px)] min-h-40 max-md:max-h-[calc(100dvh-350px)] overflow-auto rounded-card bg-sunken p-4 outline-offset-[-2px]"
      >
        <pre className="whitespace-pre-wrap break-words font-mono text-text">{text}</pre>
      </section>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 empty:hidden">
        {isCut && (
          <p className="text-meta text-text-2">{t("preview.cut", { size: format.size(shownTextBytes) })}</p>
        )}
        {hasChoice && <EncodingChoice encoding={encoding} detected={detected} onChange={onEncoding} />}
      </div>
    </>
  );
}

interface EncodingChoiceProps {
  readonly encoding: Encoding;
  readonly detected: Encoding;
  readonly onChange: (encoding: Encoding) => void;
}

/** Shows in which encoding the text is read, whether that was detected, and lets the user choose another one. */
function EncodingChoice({ encoding, detected, onChange }: EncodingChoiceProps) {
  const t = useT();
  const id = useId();
  const options = encodings.map((value) => {
    const [writing, name] = encodingNames[value];
    const label = writing === null ? name : t("preview.encodingOf", { encoding: name, writing: t(writing) });
    return { value, label: value === detected ? t("preview.encodingDetected", { encoding: label }) : label };
  });
  return (
    <div className="flex min-w-0 items-center gap-2 text-meta text-text-2">
      <label htmlFor={id}>{t("preview.encoding")}</label>
      <Select id={id} className="min-w-0" value={encoding} options={options} onChange={onChange} />
    </div>
  );
}

type WritingKey = Extract<TextKey, `preview.writing.${string}`>;

/** What an encoding writes, and its usual name. */
const encodingNames: Readonly<Record<Encoding, readonly [writing: WritingKey | null, name: string]>> = {
  "utf-8": [null, "UTF-8"],
  "utf-16le": [null, "UTF-16LE"],
  "utf-16be": [null, "UTF-16BE"],
  gb18030: ["preview.writing.simplified", "GBK, GB18030"],
  big5: ["preview.writing.traditional", "Big5"],
  shift_jis: ["preview.writing.japanese", "Shift-JIS"],
  "euc-jp": ["preview.writing.japanese", "EUC-JP"],
  "iso-2022-jp": ["preview.writing.japanese", "ISO-2022-JP"],
  "euc-kr": ["preview.writing.korean", "EUC-KR"],
  "windows-1252": ["preview.writing.western", "Windows-1252"],
  "windows-1250": ["preview.writing.central", "Windows-1250"],
  "iso-8859-2": ["preview.writing.central", "ISO-8859-2"],
  "windows-1257": ["preview.writing.baltic", "Windows-1257"],
  "windows-1254": ["preview.writing.turkish", "Windows-1254"],
  "windows-1258": ["preview.writing.vietnamese", "Windows-1258"],
  "windows-1251": ["preview.writing.cyrillic", "Windows-1251"],
  "koi8-r": ["preview.writing.cyrillic", "KOI8-R"],
  "koi8-u": ["preview.writing.cyrillic", "KOI8-U"],
  ibm866: ["preview.writing.cyrillic", "IBM866"],
  "windows-1253": ["preview.writing.greek", "Windows-1253"],
  "windows-1255": ["preview.writing.hebrew", "Windows-1255"],
  "windows-1256": ["preview.writing.arabic", "Windows-1256"],
  "windows-874": ["preview.writing.thai", "Windows-874"],
};

function Well({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mt-4 flex min-h-40 items-center justify-center overflow-hidden rounded-card bg-sunken">
      {children}
    </div>
  );
}

/** The number of bytes shown of a text. */
const shownTextBytes = 256_000;

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
  | TextContent;

interface TextContent {
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
function usePreviewContent(open: OpenFile, mimeType: string): PreviewContent {
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
