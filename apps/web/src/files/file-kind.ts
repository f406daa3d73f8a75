import type { FileDescription } from "@warren/protocol";
import type { Translate } from "../i18n/messages.ts";
import {
  ArchiveIcon,
  FileIcon,
  FilesIcon,
  FolderIcon,
  type Icon,
  ImageIcon,
  ImagesIcon,
  MusicIcon,
  TextFileIcon,
  VideoFileIcon,
} from "../ui/icons.ts";

const iconsByType: readonly (readonly [pattern: RegExp, icon: Icon])[] = [
  // Drawings of CAD programs are called pictures, but are none that anything shows.
  [/^image\/(?!vnd\.(?:dwg|dxf)|x-dwg)/, ImageIcon],
  [/^video\//, VideoFileIcon],
  [/^audio\//, MusicIcon],
  [/zip|compressed|x-tar|x-rar|gzip/, ArchiveIcon],
  [/^text\/|pdf|msword|document|sheet|presentation|json|xml/, TextFileIcon],
];

const iconsByExtension: readonly (readonly [pattern: RegExp, icon: Icon])[] = [
  [/^(psd|heic|raw|cr3|svg|png|jpe?g|gif|webp|avif)$/, ImageIcon],
  [/^(mov|mp4|mkv|mxf|avi|webm)$/, VideoFileIcon],
  [/^(mp3|wav|flac|ogg|m4a)$/, MusicIcon],
  [/^(zip|gz|tgz|tar|rar|7z|xz|zst)$/, ArchiveIcon],
  [/^(txt|md|pdf|docx?|xlsx?|pptx?|csv|odt|ods|rtf)$/, TextFileIcon],
];

/** The lower-case extension of a file name, or "" if there is none. */
function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  const extension = dot > 0 ? fileName.slice(dot + 1) : "";
  return /^[a-z0-9]{1,5}$/i.test(extension) ? extension.toLowerCase() : "";
}

/** The icon for a file, by its MIME type or, if that is not specific, by its name. */
export function fileIcon(fileName: string, mimeType: string): Icon {
  const extension = extensionOf(fileName);
  const found =
    iconsByType.find(([pattern]) => pattern.test(mimeType)) ??
    iconsByExtension.find(([pattern]) => pattern.test(extension));
  return found?.[1] ?? FileIcon;
}

/** The icon of a file, of a folder, or of files sent together. */
export function iconOf({
  fileName,
  mimeType,
  tree,
}: Pick<FileDescription, "fileName" | "mimeType" | "tree">): Icon {
  if (tree === undefined) return fileIcon(fileName, mimeType);
  if (tree.kind === "folder") return FolderIcon;
  return tree.pictures ? ImagesIcon : FilesIcon;
}

/** The display name of a file's kind, "PDF", or null if its name has no extension. */
export function fileKind(fileName: string): string | null {
  return extensionOf(fileName).toUpperCase() || null;
}

/** The type of a file in words: its MIME type, or what is in a tree. */
export function typeText({ mimeType, tree }: FileDescription, t: Translate): string {
  if (tree === undefined) return mimeType || t("files.unknownType");
  return tree.kind === "folder"
    ? t("files.folder", { files: t("common.files", { count: tree.files }) })
    : t(tree.pictures ? "common.pictures" : "common.files", { count: tree.files });
}
