import type { FileMessage } from "@warren/core";
import type { FileId } from "@warren/protocol";
import { type ReactNode, useState } from "react";
import { DragOut } from "../../files/card/drag-out.tsx";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { judgePicture } from "../../pictures/picture-size.ts";
import type { SniffedPicture } from "../../pictures/picture-type.ts";
import { useTab } from "../../tab/tab-context.ts";
import { cx } from "../../ui/cx.ts";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { useStore, useWarren } from "../../wiring/warren-context.ts";
import { shapeOf, unknownShape } from "./picture-shape.ts";

/** Larger pictures are decoded only on request. */
const inlineBytesMax = 24_000_000;

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
  const shape = useStore(pictureShapes.store, (known) => known.get(fid)) ?? unknownShape;
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
          "group/picture relative block max-w-full overflow-hidden bg-sunken",
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
            onLoad={({ currentTarget }) => pictureShapes.set(fid, shapeOf(currentTarget))}
            onError={() => setBroken(true)}
          />
        )}
        {/* Off the picture until it is pointed at; on touch the preview has the name. */}
        <span className="absolute bottom-2 left-2 max-w-[calc(100%-16px)] truncate rounded-control bg-over-picture px-2 py-0.5 text-meta text-white opacity-0 transition-opacity group-hover/picture:opacity-100 group-focus-visible/picture:opacity-100">
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
  useAbortableEffect(
    (signal) => {
      const open = async (): Promise<void> => {
        const file = await files.open(fid);
        const judged = file && (await judgePicture(file));
        if (signal.aborted) return;
        if (!judged) return setPicture(none);
        if (judged.status !== "drawable") return setPicture(judged);
        const url = URL.createObjectURL(new Blob([file], { type: judged.type }));
        signal.addEventListener("abort", () => URL.revokeObjectURL(url));
        setPicture({ ...judged, status: "ready", url });
      };
      open().catch(() => !signal.aborted && setPicture(none));
    },
    [files, fid],
  );
  return picture;
}
