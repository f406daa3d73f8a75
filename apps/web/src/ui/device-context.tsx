import type { KeyValueStorage, ReadableStore } from "@warren/core";
import { createContext, use } from "react";
import type { ReadableFolder, WritableFolder } from "../platform/folder-on-disk.ts";

/** The result of writing to the clipboard. */
export type ClipboardWrite =
  | { readonly status: "written" }
  /** Will be written when the window has focus again. */
  | { readonly status: "queued" }
  /** The page is not in a secure context. */
  | { readonly status: "unsupported" }
  | { readonly status: "failed"; readonly reason: string };

/** The result of reading the clipboard. */
export type ClipboardRead =
  | { readonly status: "read"; readonly text: string }
  /** The page is not in a secure context, or the browser cannot read the clipboard. */
  | { readonly status: "unsupported" }
  /** Denied by the user or the browser. */
  | { readonly status: "denied" };

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

/** The data that the browser stores for this app. */
export interface BrowserData {
  /** Null if the browser does not report it. */
  usage(): Promise<{ readonly usedBytes: number; readonly freeBytes: number } | null>;
  /** Whether the browser will never evict the data on its own. */
  isPersisted(): Promise<boolean>;
  /**
   * Requests persistence.
   * @returns whether the browser agreed.
   */
  persist(): Promise<boolean>;
  /** Empties Cache Storage and unregisters the service workers. Rejects with the browser's error. */
  clearCaches(): Promise<void>;
  /** Leaves the page, deletes everything, and opens the app as on a first visit. */
  eraseAll(): void;
  /** Reloads the page, which then keeps messages and files in memory and does not touch stored data. */
  continueInMemory(): void;
}

/** Another tab of this browser in a room. `unseen`: there is none, or the browser cannot report it. */
export type OtherTab =
  | { readonly status: "unseen" }
  | { readonly status: "there"; readonly roomId: string | null }
  | { readonly status: "gone" };

/** The single place in a room that the tabs of a browser share. */
export interface RoomPlace {
  readonly other: ReadableStore<OtherTab>;
  /**
   * Keeps `other` up to date while the page is visible.
   * @returns a function that stops watching.
   */
  watch(): () => void;
  /** The user wants the room in this tab: the next join disconnects a tab that the user was shown. */
  insist(): void;
}

/** The device APIs used by components. */
export interface Device {
  writeClipboard(text: string): Promise<ClipboardWrite>;
  readClipboard(): Promise<ClipboardRead>;
  /** Puts a picture on the clipboard, in response to a click; null if the browser cannot. */
  readonly writePicture: ((png: Promise<Blob>) => Promise<ClipboardWrite>) | null;
  /**
   * Opens the file picker; returns none if it is cancelled. The files can be reopened after a reload where
   * the browser allows it.
   */
  pickFiles(options: { readonly multiple: boolean }): Promise<readonly File[]>;
  /**
   * Records the handles of dropped files, so that they can be reopened too. Must be called synchronously in
   * the drop handler.
   */
  noteDropped(items: Iterable<DataTransferItem>): void;
  /** Opens the system's share sheet; null if there is none. */
  readonly shareLink: ((link: { readonly title: string; readonly url: string }) => Promise<void>) | null;
  /** Hands files to the system's share sheet; null if it takes none. */
  readonly shareFiles: ((files: readonly File[]) => Promise<void>) | null;
  /** Whether a file dragged out of the window is saved at the drop location. */
  readonly dragsFilesOut: boolean;
  /** Whether a file can be saved to the downloads without a prompt. */
  readonly savesUnasked: boolean;
  /** Opens a folder picker for reading; null if cancelled. */
  pickFolder(): Promise<ReadableFolder | null>;
  /** Opens a folder picker for writing; null if cancelled. Itself null if the browser has no such picker. */
  readonly pickTargetFolder: (() => Promise<WritableFolder | null>) | null;
  /** Null outside secure contexts, where browsers offer no media devices. */
  readonly media: LocalMedia | null;
  browserData(): Promise<BrowserData>;
  /** Storage of this browser. */
  readonly storage: KeyValueStorage;
  /** Storage of this tab; survives reloads. */
  readonly tabStorage: KeyValueStorage;
  readonly roomPlace: RoomPlace;
  /** The address of the app, with a slash at its end; links begin with it. */
  readonly home: string;
}

export const DeviceContext = createContext<Device | null>(null);

/** The device of the surrounding app; throws outside a {@link DeviceContext}. */
export function useDevice(): Device {
  const device = use(DeviceContext);
  if (device === null) throw new Error("useDevice needs a DeviceContext around it");
  return device;
}
