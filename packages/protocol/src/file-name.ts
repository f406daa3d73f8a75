import { limits } from "./limits.ts";
import { cleanLine, isBlank, isHidden, truncateUtf8, utf8Length, writtenOut } from "./text.ts";

// Windows ignores whitespace between the device and the dot of the extension.
const windowsDevice = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/**
 * Makes a peer's file name safe as a path, a zip entry or a download: one path segment without reserved characters or
 * device names, at most 240 bytes of UTF-8, cut between grapheme clusters with its extension kept, never empty. A safe
 * name is returned unchanged.
 */
export function safeFileName(name: string): string {
  return safeFileNameWithin(limits.fileNameBytes, name);
}

/** The name of a file to show beside its safe form, with what was removed written out; undefined if nothing was changed. */
export function originalOf(name: string): string | undefined {
  const shown = writtenOut(name);
  return shown.length <= limits.rawNameLength && isOriginalOf(safeFileName(name), shown) ? shown : undefined;
}

/**
 * Whether `safeName` is the changed, safe form of `name`, in which removed characters may be written out: `name` is then shown
 * beside it. A peer could state any other name.
 */
export function isOriginalOf(safeName: string, name: string): boolean {
  if (name === safeName || isBlank(name)) return false;
  return safeFileName(name) === safeName || safeFileName(readBack(name)) === safeName;
}

/** Reverts `writtenOut`. */
function readBack(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/g, (written, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return isHidden(character) ? character : written;
  });
}

/** As {@link safeFileName}, with another limit in bytes. */
export function safeFileNameWithin(maxBytes: number, name: string): string {
  const segment = trimEnd(
    cleanLine(name)
      .replace(/[/\\:*?"<>|]/g, "_")
      .replace(/^\.+(?=_|$)/, ""),
  );
  const fitted = fitBytes(segment, maxBytes);
  const base = isBlank(fitted) || /^_+$/.test(fitted) ? "file" : fitted;
  // Checked after the cut, which can produce a device name.
  return windowsDevice.test(base) ? fitBytes(`_${base}`, maxBytes) : base;
}

/** A numbered variant of a safe name: `report (2).pdf`. */
export function numberedFileName(name: string, number: number): string {
  const [stem, extension] = partsOf(name);
  return fitted(stem, ` (${number})${extension}`, limits.fileNameBytes);
}

/**
 * A key that is equal for names that any file system treats as the same: Windows and macOS ignore case, macOS ignores
 * Unicode composition, and some ignore invisible characters.
 */
export function fileNameKey(name: string): string {
  return name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFD")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFD");
}

function fitBytes(name: string, maxBytes: number): string {
  return utf8Length(name) <= maxBytes ? name : fitted(...partsOf(name), maxBytes);
}

function fitted(stem: string, ending: string, maxBytes: number): string {
  const cut = trimEnd(truncateUtf8(stem, maxBytes - utf8Length(ending)));
  return (cut || "file") + ending;
}

function partsOf(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : "";
  return [name.slice(0, name.length - extension.length), extension];
}

// A loop, because a pattern anchored only at the end takes quadratic time over long runs inside the name.
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
