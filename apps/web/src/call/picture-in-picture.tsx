import type { Call } from "@warren/core";
import { type RefObject, useCallback, useEffect } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { type StageItem, stageItems } from "./stage-items.ts";
import { TileChip, TilePicture } from "./tile.tsx";
import { useCallState } from "./use-call.ts";

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

/** The window that is open, and the tile in it; a page has one at most. */
const shownAbove = createStore<{ readonly own: Window; readonly itemId: string } | null>(() => null);

/**
 * Shows a tile in a window above all others: with its name and its state where the browser lends a whole window, which
 * {@link PictureInPicture} fills, otherwise the bare video.
 */
export function usePictureInPicture(item: StageItem, video: RefObject<HTMLVideoElement | null>) {
  const { id: itemId, picture: size } = item;
  const height = size && size.width > 0 ? Math.round((width * size.height) / size.width) : (width * 9) / 16;
  const toggle = useCallback(async (): Promise<void> => {
    const windows = ownWindows();
    const shown = shownAbove.getState();
    try {
      if (shown?.itemId === itemId) shown.own.close();
      else if (shown !== null) shownAbove.setState({ ...shown, itemId }, true);
      else if (windows !== null) {
        const own = await openWindow(windows, height, () => shownAbove.setState(null, true));
        shownAbove.setState({ own, itemId }, true);
      } else if (document.pictureInPictureElement !== null) await document.exitPictureInPicture();
      else await video.current?.requestPictureInPicture();
    } catch {
      // A browser may refuse it; the picture is here all the same.
    }
  }, [itemId, height, video]);
  return { isOffered: ownWindows() !== null || document.pictureInPictureEnabled, toggle };
}

/** What the window above all others shows, whichever page of the app is open. It ends with what it shows. */
export function PictureInPicture({ call }: { readonly call: Call }) {
  const state = useCallState(call);
  const shown = useStore(shownAbove);
  const item = state.isVideoEnabled && stageItems(state).find(({ id }) => id === shown?.itemId);
  const own = shown?.own;
  useEffect(() => () => own?.close(), [own]);
  const isOver = own !== undefined && !item;
  useEffect(() => {
    if (isOver) own.close();
  }, [isOver, own]);
  if (own === undefined || !item) return null;
  return createPortal(
    <div className="stage relative h-screen overflow-hidden bg-tile">
      <TilePicture call={call} item={item} fit="contain" ownWindow={own} />
      <TileChip item={item} />
    </div>,
    own.document.body,
  );
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
