import type { DoctorPlatform, KeyValueStorage } from "@warren/core";
import { createContext, use } from "react";
import type { ClipboardRead, ClipboardWrite } from "../platform/clipboard.ts";
import type { ReadableFolder, WritableFile, WritableFolder } from "../platform/files/folder-on-disk.ts";
import type { FilePick } from "../platform/files/picked-files.ts";
import type { RoomLock } from "../platform/network/room-lock.ts";
import type { Notifier } from "../platform/notifier.ts";
import type { BrowserData } from "../platform/storage/browser-data.ts";

/** Cameras, microphones and screen capture. */
export type LocalMedia = Pick<
  MediaDevices,
  | "enumerateDevices"
  | "getSupportedConstraints"
  | "getUserMedia"
  | "getDisplayMedia"
  | "addEventListener"
  | "removeEventListener"
>;

/** The browser, as components use it. */
export interface Platform {
  writeClipboard(text: string): Promise<ClipboardWrite>;
  readClipboard(): Promise<ClipboardRead>;
  /** Puts a picture on the clipboard, in response to a click; null if the browser cannot. */
  readonly writePicture: ((png: Promise<Blob>) => Promise<ClipboardWrite>) | null;
  /**
   * Opens the file picker; returns none if it is cancelled. Files of any type can be reopened after a reload
   * where the browser allows it.
   */
  pickFiles(options?: FilePick): Promise<readonly File[]>;
  /**
   * Records the handles of dropped files, so that they can be reopened too. Must be called synchronously in
   * the drop handler.
   */
  rememberDropped(items: Iterable<DataTransferItem>): void;
  /** Opens the system's share sheet, and resolves with false if it is closed; null if there is none. */
  readonly shareLink: ((link: { readonly title: string; readonly url: string }) => Promise<boolean>) | null;
  /** Hands files to the system's share sheet, and resolves with false if it is closed; null if it takes none. */
  readonly shareFiles: ((files: readonly File[]) => Promise<boolean>) | null;
  /** Whether the share sheet is the only way to save a file: an iPhone's home-screen app has no downloads. */
  readonly savesBySharing: boolean;
  /** Whether a file dragged out of the window is saved at the drop location. */
  readonly dragsFilesOut: boolean;
  /** Opens a folder picker for reading; null if cancelled. */
  pickFolder(): Promise<ReadableFolder | null>;
  /** Opens a folder picker for writing; null if cancelled. Itself null if the browser has no such picker. */
  readonly pickTargetFolder: (() => Promise<WritableFolder | null>) | null;
  /** Asks where to save a file; null if cancelled. Itself null if the browser has no such picker. */
  readonly pickTargetFile: ((suggestedName: string) => Promise<WritableFile | null>) | null;
  /** Null outside secure contexts, where browsers offer no media devices. */
  readonly media: LocalMedia | null;
  readonly browserData: BrowserData;
  readonly notifier: Notifier;
  /** What the connection doctor asks this browser. */
  doctorPlatform(): DoctorPlatform;
  /** Storage of this browser. */
  readonly storage: KeyValueStorage;
  readonly roomLock: Pick<RoomLock, "other" | "watch" | "takeOver">;
  /** The address of the app, with a slash at its end; links begin with it. */
  readonly home: string;
}

export const PlatformContext = createContext<Platform | null>(null);

/** The platform of the surrounding app; throws outside a {@link PlatformContext}. */
export function usePlatform(): Platform {
  const platform = use(PlatformContext);
  if (platform === null) throw new Error("usePlatform needs a PlatformContext around it");
  return platform;
}
