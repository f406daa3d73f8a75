import type { FileDescription } from "@warren/protocol";
import { useEffect, useState } from "react";
import { cx } from "../ui/cx.ts";
import { FolderIcon } from "../ui/icons.tsx";
import { FilesIcon } from "../ui/later-icons.ts";
import { fileIcon } from "./file-kind.ts";
import { madeThumbnail, wantThumbnail } from "./thumbnails.ts";
import { claimsPicture } from "./use-picture.ts";
import { useWarren } from "./warren-context.tsx";

/** A row that only flies by is not worth a thumbnail. */
const restMs = 150;

const treeIcons = { folder: FolderIcon, files: FilesIcon };

interface FileTileProps {
  readonly file: Pick<FileDescription, "fid" | "fileName" | "mimeType" | "tree">;
  /** Whether this browser has all of it. */
  readonly isWhole: boolean;
  readonly iconSize?: number;
  readonly className?: string;
}

/** The tile that stands for a file: a thumbnail of a picture that is here, otherwise the icon of its kind. */
export function FileTile({ file, isWhole, iconSize = 18, className }: FileTileProps) {
  const { fileName, mimeType, tree, fid } = file;
  const isPicture = isWhole && tree === undefined && claimsPicture(file);
  const thumbnail = useThumbnail(isPicture ? fid : null);
  const Glyph = tree === undefined ? fileIcon(fileName, mimeType) : treeIcons[tree.kind];
  return (
    <span
      className={cx(
        "flex shrink-0 items-center justify-center overflow-hidden rounded-tile bg-sunken text-text-2",
        className,
      )}
    >
      {thumbnail === null ? (
        <Glyph size={iconSize} />
      ) : (
        <img
          src={thumbnail}
          alt=""
          decoding="async"
          draggable={false}
          className="size-full rounded-[inherit] object-cover outline-1 outline-edge -outline-offset-1"
        />
      )}
    </span>
  );
}

/** The thumbnail of a file as soon as there is one; null for none. */
function useThumbnail(fid: string | null): string | null {
  const { files } = useWarren();
  const [, setDrawn] = useState<string | null>(null);
  useEffect(() => {
    if (fid === null || madeThumbnail(fid) !== undefined) return;
    let takeBack = (): void => {};
    const timer = setTimeout(() => {
      takeBack = wantThumbnail({ fid, open: () => files.open(fid), done: setDrawn });
    }, restMs);
    return () => {
      clearTimeout(timer);
      takeBack();
    };
  }, [files, fid]);
  return fid === null ? null : (madeThumbnail(fid) ?? null);
}
