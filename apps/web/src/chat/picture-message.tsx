import type { FileMessage } from "@warren/core";
import { type ReactNode, useState } from "react";
import { DragOut } from "../files/drag-out.tsx";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { usePicture } from "../people/use-picture.ts";

/** Size limits of an inline picture in px. */
const widthMin = 256;
const sideMax = 340;
const landscapeHeight = 180;
/** Larger pictures are decoded only on request. */
const inlineBytesMax = 24_000_000;

interface Shape {
  readonly width: number;
  readonly height: number;
}

const unknownShape: Shape = { width: widthMin, height: Math.round((widthMin * 2) / 3) };
/** The aspect ratios seen since the page loaded, so that a reopened conversation does not shift. */
const shapes = new Map<string, Shape>();

function shapeOf({ naturalWidth, naturalHeight }: HTMLImageElement): Shape {
  const ratio = naturalWidth / Math.max(1, naturalHeight);
  const width = Math.round(Math.min(sideMax, Math.max(widthMin, landscapeHeight * ratio)));
  return { width, height: Math.round(Math.min(sideMax, Math.max(72, width / ratio))) };
}

interface PictureMessageProps {
  readonly message: FileMessage;
  readonly onOpen: () => void;
  /** Rendered for files that are not shown inline: no picture, animated, or too large. */
  readonly fallback: (onPreview?: () => void) => ReactNode;
}

/** A complete picture, shown inline. */
export function PictureMessage({ message, onOpen, fallback }: PictureMessageProps) {
  const { fid, fileSize } = message.file;
  return fileSize > inlineBytesMax ? (
    fallback(onOpen)
  ) : (
    <InlinePicture key={fid} message={message} onOpen={onOpen} fallback={fallback} />
  );
}

function InlinePicture({ message, onOpen, fallback }: PictureMessageProps) {
  const t = useT();
  const format = useFormat();
  const { fid, fileName, fileSize } = message.file;
  const picture = usePicture(fid);
  const [shape, setShape] = useState(() => shapes.get(fid) ?? unknownShape);
  const [isBroken, setBroken] = useState(false);

  if (picture.status === "none" || isBroken) return fallback();
  const isCard = picture.status === "too-large" || (picture.status === "ready" && picture.animated);
  if (isCard) return fallback(onOpen);
  return (
    <DragOut file={message.file} className="block max-w-full">
      <button
        type="button"
        style={{ width: shape.width, aspectRatio: `${shape.width} / ${shape.height}` }}
        className="relative block max-w-full overflow-hidden rounded-card bg-sunken"
        onClick={onOpen}
      >
        {picture.status === "ready" && (
          <img
            src={picture.url}
            alt=""
            decoding="async"
            draggable={false}
            className="size-full rounded-[inherit] object-cover outline-1 outline-edge -outline-offset-1"
            onLoad={({ currentTarget }) => {
              const seen = shapeOf(currentTarget);
              shapes.set(fid, seen);
              setShape(seen);
            }}
            onError={() => setBroken(true)}
          />
        )}
        <span className="sr-only">{t("file.preview")}: </span>
        <span className="absolute bottom-2 left-2 max-w-[calc(100%-16px)] truncate rounded-control bg-[rgb(10_16_13/0.66)] px-2 py-0.5 text-meta text-white">
          {fileName}
          {t("common.comma")}
          {format.size(fileSize)}
        </span>
      </button>
    </DragOut>
  );
}
