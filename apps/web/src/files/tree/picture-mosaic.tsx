import type { FileId } from "@warren/protocol";
import type { TreeFile } from "@warren/protocol/tree";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { ImageIcon } from "../../ui/icons.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { Thumbnail } from "../file-tile.tsx";
import { useThumbnail } from "../use-thumbnail.ts";
import { openEntry } from "./open-entry.ts";
import { baseName } from "./tree-nodes.ts";
import type { TreePictures } from "./tree-pictures.ts";

/** Twice a cell on a wide screen; in px. */
const edgePx = 240;

interface PictureMosaicProps {
  readonly fid: FileId;
  readonly pictures: TreePictures;
  /** Whether the pictures are stored here and can be rendered. */
  readonly isStored: boolean;
  /** The accessible name of the group. */
  readonly label: string;
  readonly onPreview: ((picture: TreeFile) => void) | undefined;
}

/** The first pictures of a batch; each opens the preview. Rendered when scrolled into view. */
export function PictureMosaic({ fid, pictures, isStored, label, onPreview }: PictureMosaicProps) {
  const { shown, moreCount } = pictures;
  const list = useRef<HTMLUListElement>(null);
  const isInSight = useInSight(list);
  const inTwos = shown.length === 2 || shown.length === 4;
  return (
    <ul
      ref={list}
      aria-label={label}
      className={cx("mt-1 grid gap-1", inTwos ? "grid-cols-2" : "grid-cols-3")}
    >
      {shown.map((picture, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a picture that is known takes the place that was kept for it
          key={index}
          className="aspect-4/3 min-w-0"
        >
          {picture === null ? (
            <span className={cellClass}>
              <ImageIcon size={20} />
            </span>
          ) : (
            <Cell
              fid={fid}
              picture={picture}
              showsThumbnail={isStored && isInSight}
              moreCount={index === shown.length - 1 ? moreCount : 0}
              onPreview={isStored ? onPreview : undefined}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

interface CellProps extends Pick<PictureMosaicProps, "fid" | "onPreview"> {
  readonly picture: TreeFile;
  readonly showsThumbnail: boolean;
  /** How many more follow this last one. */
  readonly moreCount: number;
}

const cellClass =
  "relative flex size-full items-center justify-center overflow-hidden rounded-control bg-sunken text-text-3";

function Cell({ fid, picture, showsThumbnail, moreCount, onPreview }: CellProps) {
  const t = useT();
  const format = useFormat();
  const { files } = useWarren();
  const key = showsThumbnail ? `${fid}/${picture.path}` : null;
  const thumbnail = useThumbnail(key, edgePx, () => openEntry(files, fid, picture));
  const fileName = baseName(picture.path);
  const name = moreCount === 0 ? fileName : t("folders.pictureAndMore", { name: fileName, count: moreCount });
  const content = (
    <>
      {thumbnail !== null && <Thumbnail address={thumbnail} />}
      {thumbnail === null && moreCount === 0 && <ImageIcon size={20} />}
      {moreCount > 0 && (
        <span
          aria-hidden="true"
          className={cx(
            "absolute inset-0 flex items-center justify-center text-heading",
            thumbnail === null ? "text-text-2" : "bg-over-picture text-white",
          )}
        >
          +{format.number(moreCount)}
        </span>
      )}
    </>
  );
  if (onPreview === undefined)
    return (
      <span className={cellClass}>
        {content}
        <span className="sr-only">{name}</span>
      </span>
    );
  return (
    <button
      type="button"
      aria-label={t("common.actionOf", { action: t("file.preview"), name })}
      className={cx(cellClass, "transition-opacity hover:opacity-80")}
      onClick={() => onPreview(picture)}
    >
      {content}
    </button>
  );
}

/** Whether an element is, or has ever been, in or near the viewport. */
function useInSight(element: RefObject<Element | null>): boolean {
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    if (isInSight || element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => setInSight(entries.some((entry) => entry.isIntersecting)),
      { rootMargin: "25%" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isInSight, element]);
  return isInSight;
}
