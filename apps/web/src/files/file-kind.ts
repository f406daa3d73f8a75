import type { FileDescription } from "@warren/protocol";
import { FolderIcon, type Icon, TextFileIcon } from "../ui/icons.tsx";
import {
  ArchiveIcon,
  FileIcon,
  FilesIcon,
  ImageIcon,
  ImagesIcon,
  MusicIcon,
  VideoFileIcon,
} from "../ui/later-icons.ts";

const iconsByType: readonly (readonly [pattern: RegExp, icon: Icon])[] = [
  [/^image\//, ImageIcon],
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

/** The letters behind the last dot of a file name in lower case, or "" where there is no such ending. */
function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  const extension = dot > 0 ? fileName.slice(dot + 1) : "";
  return /^[a-z0-9]{1,5}$/i.test(extension) ? extension.toLowerCase() : "";
}

/** The icon of a file's kind, by its type and, where that says nothing, by its name. */
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

/** A file's kind as people say it, "PDF", or null where its name does not tell. */
export function fileKind(fileName: string): string | null {
  return extensionOf(fileName).toUpperCase() || null;
}
