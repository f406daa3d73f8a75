import type { Call } from "@warren/core";
import { type RefObject, useEffect } from "react";
import { createPortal } from "react-dom";
import { useTab } from "../../tab/tab-context.ts";
import { useStore } from "../../wiring/warren-context.ts";
import { type StageItem, stageItems } from "./stage-items.ts";
import { TileChip, TilePicture } from "./tile.tsx";

/** Document Picture-in-Picture (Chromium), which the platform's types lack. */
interface DocumentPictureInPicture {
  requestWindow(options: { readonly width: number; readonly height: number }): Promise<Window>;
}

function documentPictureInPicture(): DocumentPictureInPicture | null {
  const windows: unknown = Reflect.get(globalThis, "documentPictureInPicture");
  const can = typeof windows === "object" && windows !== null && "requestWindow" in windows;
  return can ? (windows as DocumentPictureInPicture) : null;
}

const width = 480;

/**
 * Shows a tile in picture-in-picture: with its name and state if the browser supports Document
 * Picture-in-Picture, whose window {@link PictureInPicture} fills, otherwise only the video.
 */
export function usePictureInPicture(item: StageItem, video: RefObject<HTMLVideoElement | null>) {
  const { id: itemId, picture: size } = item;
  const height = size && size.width > 0 ? Math.round((width * size.height) / size.width) : (width * 9) / 16;
  const { pictureInPicture } = useTab();
  const toggle = async (): Promise<void> => {
    const windows = documentPictureInPicture();
    const shown = pictureInPicture.store.getState();
    try {
      if (shown?.itemId === itemId) shown.window.close();
      else if (shown !== null) pictureInPicture.show(itemId);
      else if (windows !== null) pictureInPicture.opened(await openWindow(windows, height), itemId);
      else if (document.pictureInPictureElement !== null) await document.exitPictureInPicture();
      else await video.current?.requestPictureInPicture();
    } catch {
      // The browser may refuse; the picture is still in the page.
    }
  };
  return { isOffered: documentPictureInPicture() !== null || document.pictureInPictureEnabled, toggle };
}

/** The content of the picture-in-picture window, on every page. Closes when the source ends. */
export function PictureInPicture({ call }: { readonly call: Call }) {
  const state = useStore(call.store);
  const shown = useStore(useTab().pictureInPicture.store);
  const item = state.isVideoEnabled && stageItems(state).find(({ id }) => id === shown?.itemId);
  const pipWindow = shown?.window;
  useEffect(() => () => pipWindow?.close(), [pipWindow]);
  const hasSourceEnded = pipWindow !== undefined && !item;
  useEffect(() => {
    if (hasSourceEnded) pipWindow.close();
  }, [hasSourceEnded, pipWindow]);
  if (pipWindow === undefined || !item) return null;
  return createPortal(
    <div className="stage relative h-screen overflow-hidden bg-tile">
      <TilePicture call={call} item={item} fit="contain" pipWindow={pipWindow} />
      <TileChip item={item} />
    </div>,
    pipWindow.document.body,
  );
}

/** Opens a window with the page's styles. */
async function openWindow(windows: DocumentPictureInPicture, height: number): Promise<Window> {
  const pipWindow = await windows.requestWindow({ width, height });
  const { documentElement: root, head } = pipWindow.document;
  // The content security policy forbids style attributes, but allows setting properties.
  for (const { name, value } of document.documentElement.attributes)
    if (name !== "style") root.setAttribute(name, value);
  root.style.cssText = document.documentElement.style.cssText;
  for (const sheet of document.querySelectorAll("link[rel=stylesheet], style")) {
    const copy = pipWindow.document.importNode(sheet, true);
    if (sheet instanceof HTMLLinkElement) copy.setAttribute("href", sheet.href);
    head.append(copy);
  }
  pipWindow.document.title = document.title;
  return pipWindow;
}
