import type { FileMessage } from "@warren/core";
import type { FileId } from "@warren/protocol";
import { type ReactNode, useEffect, useState } from "react";
import { isCompleteFile } from "../../file-state/combined-state.ts";
import { DragOut } from "../../files/card/drag-out.tsx";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { judgePicture } from "../../pictures/picture-size.ts";
import { claimsPicture, type SniffedPicture } from "../../pictures/picture-type.ts";
import type { PictureShape } from "../../tab/tab.ts";
import { useTab } from "../../tab/tab-context.ts";
import { cx } from "../../ui/cx.ts";
import { useStore, useWarren } from "../../wiring/warren-context.tsx";

/** Size limits of an inline picture in px. */
const widthMin = 256;
const sideMax = 340;
const landscapeHeight = 180;
/** Larger pictures are decoded only on request. */
const inlineBytesMax = 24_000_000;

const unknownShape: PictureShape = { width: widthMin, height: Math.round((widthMin * 2) / 3) };

/** The width of a picture in px, for its caption. */
export function usePictureWidth(fid: FileId): number {
  return useStore(useTab().pictureShapes, (known) => known.get(fid) ?? unknownShape).width;
}

function shapeOf({ naturalWidth, naturalHeight }: HTMLImageElement): PictureShape {
  const ratio = naturalWidth / Math.max(1, naturalHeight);
  const width = Math.round(Math.min(sideMax, Math.max(widthMin, landscapeHeight * ratio)));
  return { width, height: Math.round(Math.min(sideMax, Math.max(72, width / ratio))) };
}

/** Whether a file is complete and shown as a picture, without a card that says what became of it. */
export function showsPicture({ file, offers }: FileMessage, isMine: boolean): boolean {
  return file.tree === undefined && claimsPicture(file) && isCompleteFile(offers, isMine);
}

interface PictureMessageProps {
  readonly message: FileMessage;
  /** Whether its caption stands right below it, in the same bubble. */
  readonly hasCaption: boolean;
  readonly onOpen: () => void;
  /** Rendered for files that are not shown inline: no picture, animated, or too large. */
  readonly fallback: (onPreview?: () => void) => ReactNode;
}

/** A complete picture, shown inline. */
export function PictureMessage(props: PictureMessageProps) {
  const { message, onOpen, fallback } = props;
  const { fid, fileSize } = message.file;
  return fileSize > inlineBytesMax ? fallback(onOpen) : <InlinePicture key={fid} {...props} />;
}

function InlinePicture({ message, hasCaption, onOpen, fallback }: PictureMessageProps) {
  const t = useT();
  const format = useFormat();
  const { fid, fileName, fileSize } = message.file;
  const picture = usePicture(fid);
  const { pictureShapes } = useTab();
  const shape = useStore(pictureShapes, (known) => known.get(fid)) ?? unknownShape;
  const [isBroken, setBroken] = useState(false);

  const label = t("file.nameAndSize", { name: fileName, size: format.size(fileSize) });

  if (picture.status === "none" || isBroken) return fallback();
  const isCard = picture.status === "too-large" || (picture.status === "ready" && picture.animated);
  if (isCard) return fallback(onOpen);
  return (
    <DragOut file={message.file} className="block max-w-full">
      <button
        type="button"
        aria-label={t("common.actionOf", { action: t("file.preview"), name: label })}
        style={{ width: shape.width, aspectRatio: `${shape.width} / ${shape.height}` }}
        className={cx(
          "relative block max-w-full overflow-hidden bg-sunken",
          hasCaption ? "rounded-t-bubble" : "rounded-card",
        )}
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
              pictureShapes.setState((known) => new Map(known).set(fid, seen), true);
            }}
            onError={() => setBroken(true)}
          />
        )}
        <span className="absolute bottom-2 left-2 max-w-[calc(100%-16px)] truncate rounded-control bg-[rgb(10_16_13/0.66)] px-2 py-0.5 text-meta text-white">
          {label}
        </span>
      </button>
    </DragOut>
  );
}

/** A picture that may be rendered; its address is valid while the component is mounted. */
type Picture =
  | { readonly status: "loading" }
  /** Not in this browser, or not a picture that may be rendered. */
  | { readonly status: "none" }
  /** It has more pixels than we decode. */
  | { readonly status: "too-large" }
  | ({ readonly status: "ready"; readonly url: string } & SniffedPicture);

const loading: Picture = { status: "loading" };
const none: Picture = { status: "none" };

/** Opens a complete file as a picture. Its type is detected from its bytes, so nothing else is ever rendered. */
function usePicture(fid: FileId): Picture {
  const { files } = useWarren();
  const [picture, setPicture] = useState<Picture>(loading);
  useEffect(() => {
    let url: string | undefined;
    let isCurrent = true;
    const open = async (): Promise<void> => {
      const file = await files.open(fid);
      const judged = file && (await judgePicture(file));
      if (!isCurrent) return;
      if (!judged) return setPicture(none);
      if (judged.status !== "drawable") return setPicture(judged);
      url = URL.createObjectURL(new Blob([file], { type: judged.type }));
      setPicture({ ...judged, status: "ready", url });
    };
    open().catch(() => isCurrent && setPicture(none));
    return () => {
      isCurrent = false;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [files, fid]);
  return picture;
}
