import { useId } from "react";
import type { TextKey } from "../../i18n/messages.ts";
import { useT } from "../../i18n/use-t.ts";
import { Select } from "../../ui/fields/select.tsx";
import { type Encoding, encodings } from "./text-languages.ts";

interface EncodingChoiceProps {
  readonly encoding: Encoding;
  readonly detected: Encoding;
  readonly onChange: (encoding: Encoding) => void;
}

/** Shows in which encoding the text is read, whether that was detected, and lets the user choose another one. */
export function EncodingChoice({ encoding, detected, onChange }: EncodingChoiceProps) {
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
