import type { Call } from "@warren/core";
import { useEffect, useRef, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import {
  ExitFullScreenIcon,
  FullScreenIcon,
  PictureInPictureIcon,
  ZoomInIcon,
  ZoomOutIcon,
} from "../../ui/icons.ts";
import { usePictureInPicture } from "./picture-in-picture.tsx";
import { SourceVideo } from "./source-video.tsx";
import { isShown, type StageItem } from "./stage-items.ts";
import { TileChip, TileMenu, TilePicture } from "./tile.tsx";
import { useTileWords } from "./use-tile-words.ts";
import { useZoom } from "./use-zoom.ts";

interface FocusedTileProps {
  readonly call: Call;
  readonly item: StageItem;
  /** Shows all tiles again. */
  readonly onClose: () => void;
  readonly className: string;
}

/** One tile as large as possible. A screen can be zoomed. */
export function FocusedTile({ call, item, onClose, className }: FocusedTileProps) {
  const t = useT();
  const words = useTileWords(item);
  const box = useRef<HTMLDivElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const { picture } = item;
  const canZoom = item.kind === "screen" && picture !== null && isShown(picture);
  const { zoom, setScale, zoomIn, zoomOut, handlers } = useZoom(box, canZoom);
  const isFull = useFullScreen(box);
  const inPicture = usePictureInPicture(item, video);
  const toActualSize = (): void => {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
    if (picture === null || picture.width === 0) return;
    const shown = Math.min(clientWidth / picture.width, clientHeight / picture.height);
    setScale(1 / (shown * window.devicePixelRatio));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: there are no form fields here to group
    <div
      ref={box}
      data-tile={item.id}
      role="group"
      aria-roledescription={canZoom ? t("call.zoomable") : undefined}
      aria-label={words.name}
      tabIndex={canZoom ? 0 : -1}
      onDoubleClick={onClose}
      {...handlers}
      className={cx(
        "group @container relative touch-none overflow-hidden rounded-card bg-tile",
        item.isSpeaking && "outline-2 outline-stage-speaking outline-offset-2",
        zoom.scale > 1 && "cursor-grab",
        className,
      )}
    >
      {canZoom && picture.track !== null ? (
        <div
          className="absolute inset-0"
          style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}
        >
          <SourceVideo
            call={call}
            track={picture.track}
            sourceKey={picture.key}
            width={picture.width}
            height={picture.height}
            label={words.name}
            fit="contain"
            scale={zoom.scale}
            videoRef={video}
          />
          {words.state !== null && <span className="sr-only">{words.state}</span>}
        </div>
      ) : (
        <div className="absolute inset-0">
          <TilePicture call={call} item={item} fit={item.kind === "screen" ? "contain" : "balanced"} />
        </div>
      )}
      <TileChip
        item={item}
        withRoute
        className={cx("bottom-2 left-2", canZoom ? clearOfZoom : "max-w-[min(280px,calc(100%-16px))]")}
      />
      <TileMenu call={call} item={item} />
      {canZoom && (
        <div className="absolute right-2 bottom-2 flex items-center gap-1 rounded-row bg-stage-bar p-1">
          {picture.width > 0 && (
            <span className="px-2 text-meta text-text-2 tabular-nums max-md:hidden low:hidden">
              {t("call.size", {
                width: String(picture.width),
                height: String(picture.height),
              })}
            </span>
          )}
          <IconButton
            icon={ZoomOutIcon}
            size="sm"
            className="max-md:hidden low:hidden"
            label={t("call.zoomOut")}
            onClick={zoomOut}
          />
          <button
            type="button"
            onClick={toActualSize}
            title={t("call.actualSize")}
            aria-label={t("call.actualSize")}
            className="h-7 rounded-control px-2 text-meta text-text-2 tabular-nums hover:bg-hover hover:text-text touch:h-11"
          >
            1:1
          </button>
          <IconButton
            icon={ZoomInIcon}
            size="sm"
            className="max-md:hidden low:hidden"
            label={t("call.zoomIn")}
            onClick={zoomIn}
          />
          {inPicture.isOffered && (
            <IconButton
              icon={PictureInPictureIcon}
              size="sm"
              label={t("call.pictureInPicture")}
              onClick={() => void inPicture.toggle()}
            />
          )}
          {document.fullscreenEnabled && (
            <IconButton
              icon={isFull ? ExitFullScreenIcon : FullScreenIcon}
              size="sm"
              label={t(isFull ? "call.leaveFullScreen" : "call.fullScreen")}
              onClick={() => void (isFull ? document.exitFullscreen() : box.current?.requestFullscreen())}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Beside the buttons that zoom, of which there are fewer on a phone. */
const clearOfZoom =
  "max-w-[min(280px,calc(100%-300px))] low:max-w-[calc(100%-172px)] max-md:max-w-[calc(100%-172px)]";

function useFullScreen(box: React.RefObject<HTMLElement | null>): boolean {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const note = (): void =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === box.current);
    document.addEventListener("fullscreenchange", note);
    return () => document.removeEventListener("fullscreenchange", note);
  }, [box]);
  return isFull;
}
