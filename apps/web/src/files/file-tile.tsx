import type { FileDescription, FileId } from "@warren/protocol";
import { useEffect } from "react";
import { claimsPicture } from "../pictures/picture-type.ts";
import { cx } from "../ui/cx.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { iconOf } from "./file-kind.ts";
import { isStored } from "./use-is-stored.ts";
import { restMs, useThumbnail } from "./use-thumbnail.ts";

/** Twice the largest tile, for high-density screens; in px. */
const edgePx = 96;

interface FileTileProps {
  readonly file: Pick<FileDescription, "fid" | "fileName" | "mimeType" | "tree">;
  /** Whether this browser has the complete file. */
  readonly isComplete: boolean;
  readonly iconSize?: number;
  /** Shown on its own background with an edge. */
  readonly isRaised?: boolean;
  readonly className?: string;
}

/** The tile of a file: a thumbnail of a complete picture, otherwise the icon of its kind. */
export function FileTile({ file, isComplete, iconSize = 18, isRaised = false, className }: FileTileProps) {
  const { tree, fid } = file;
  const isPicture = isComplete && tree === undefined && claimsPicture(file);
  const { files } = useWarren();
  useBytesCheck(fid);
  const thumbnail = useThumbnail(isPicture ? fid : null, edgePx, () => files.open(fid));
  const Glyph = iconOf(file);
  return (
    <span
      className={cx(
        "flex shrink-0 items-center justify-center overflow-hidden rounded-tile text-text-2",
        isRaised ? "border border-line-2 bg-raised" : "bg-sunken",
        className,
      )}
    >
      {thumbnail === null ? <Glyph size={iconSize} /> : <Thumbnail address={thumbnail} />}
    </span>
  );
}

/**
 * Opens the file to check whether its bytes are still in this browser, so that a visible card reports a loss
 * before the user tries to save.
 */
function useBytesCheck(fid: FileId): void {
  const { files } = useWarren();
  const isListed = useStore(files.store, (state) => {
    const file = state.get(fid);
    return isStored(file) || file?.state === "missing";
  });
  useEffect(() => {
    if (!isListed) return;
    const timer = setTimeout(() => void files.open(fid).catch(() => {}), restMs);
    return () => clearTimeout(timer);
  }, [files, fid, isListed]);
}

/** A thumbnail that fills its container. */
export function Thumbnail({ address }: { readonly address: string }) {
  return (
    <img
      src={address}
      alt=""
      decoding="async"
      draggable={false}
      className="size-full rounded-[inherit] object-cover outline-1 outline-edge -outline-offset-1"
    />
  );
}
