import type { Call } from "@warren/core";
import { type RefObject, useCallback, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import type { StageItem } from "./stage-items.ts";
import { TileChip, TilePicture } from "./tile.tsx";

/** Chromium's window for anything of a page, which the platform's types do not have yet. */
interface DocumentPictureInPicture {
  requestWindow(options: { readonly width: number; readonly height: number }): Promise<Window>;
}

function ownWindows(): DocumentPictureInPicture | null {
  const windows: unknown = Reflect.get(globalThis, "documentPictureInPicture");
  const can = typeof windows === "object" && windows !== null && "requestWindow" in windows;
  return can ? (windows as DocumentPictureInPicture) : null;
}

const width = 480;

/**
 * A tile in a window above all others: with its name and its state where the browser lends a whole window, otherwise
 * the bare video.
 */
export function usePictureInPicture(call: Call, item: StageItem, video: RefObject<HTMLVideoElement | null>) {
  const [own, setOwn] = useState<Window | null>(null);
  useEffect(() => () => own?.close(), [own]);
  const size = item.picture;
  const height = size && size.width > 0 ? Math.round((width * size.height) / size.width) : (width * 9) / 16;
  const toggle = useCallback(async (): Promise<void> => {
    try {
      const windows = ownWindows();
      if (own !== null) own.close();
      else if (windows !== null) setOwn(await openWindow(windows, height, () => setOwn(null)));
      else if (document.pictureInPictureElement !== null) await document.exitPictureInPicture();
      else await video.current?.requestPictureInPicture();
    } catch {
      // A browser may refuse it; the picture is here all the same.
    }
  }, [own, height, video]);
  return {
    isOffered: ownWindows() !== null || document.pictureInPictureEnabled,
    toggle,
    window:
      own &&
      createPortal(
        <div className="stage relative h-screen overflow-hidden bg-tile">
          <TilePicture call={call} item={item} fit="contain" ownWindow={own} />
          <TileChip item={item} />
        </div>,
        own.document.body,
      ),
  };
}

/** A window with the looks of the page. */
async function openWindow(
  windows: DocumentPictureInPicture,
  height: number,
  onClosed: () => void,
): Promise<Window> {
  const own = await windows.requestWindow({ width, height });
  const { documentElement: root, head } = own.document;
  // The content security policy refuses styles as attributes, not as properties.
  for (const { name, value } of document.documentElement.attributes)
    if (name !== "style") root.setAttribute(name, value);
  root.style.cssText = document.documentElement.style.cssText;
  for (const sheet of document.querySelectorAll("link[rel=stylesheet], style")) {
    const copy = own.document.importNode(sheet, true);
    if (sheet instanceof HTMLLinkElement) copy.setAttribute("href", sheet.href);
    head.append(copy);
  }
  own.document.title = document.title;
  own.addEventListener("pagehide", onClosed, { once: true });
  return own;
}
