import { useMemo } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { EncodingChoice } from "./encoding-choice.tsx";
import { decodeText } from "./text-encoding.ts";
import type { Encoding } from "./text-languages.ts";
import { shownTextBytes, type TextContent } from "./use-preview-content.ts";

interface TextBodyProps {
  readonly content: TextContent;
  /** The encoding that the user chose; undefined to use the detected one. */
  readonly encoding: Encoding | undefined;
  readonly onEncoding: (encoding: Encoding) => void;
}

/** Always plain text: displayed, never interpreted. */
export function TextBody({ content, encoding: chosen, onEncoding }: TextBodyProps) {
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
