import type { KeyValueStorage, ReadableStore } from "@warren/core";
import { createContext, use } from "react";
import type { ReadableFolder, WritableFolder } from "../platform/folder-on-disk.ts";

/** How writing to the clipboard ended. */
export type ClipboardWrite =
  | { readonly status: "written" }
  /** Written when the window has focus again. */
  | { readonly status: "queued" }
  /** The page is not in a secure context. */
  | { readonly status: "unsupported" }
  | { readonly status: "failed"; readonly reason: string };

/** How reading the clipboard ended. */
export type ClipboardRead =
  | { readonly status: "read"; readonly text: string }
  /** The page is not in a secure context, or the browser has no way to read. */
  | { readonly status: "unsupported" }
  /** The person or the browser said no. */
  | { readonly status: "denied" };

/** Cameras, microphones and screens. */
export type LocalMedia = Pick<
  MediaDevices,
  | "enumerateDevices"
  | "getSupportedConstraints"
  | "getUserMedia"
  | "getDisplayMedia"
  | "addEventListener"
  | "removeEventListener"
>;

/** What the browser keeps for this app. */
export interface BrowserData {
  /** Null where the browser does not say. */
  usage(): Promise<{ readonly usedBytes: number; readonly freeBytes: number } | null>;
  /** Whether the browser deletes nothing on its own. */
  isPersisted(): Promise<boolean>;
  /** Asks for that. @returns whether the browser agreed. */
  persist(): Promise<boolean>;
  /** Empties Cache Storage and ends the service workers. Rejects with what the browser says. */
  clearCaches(): Promise<void>;
  /** Leaves the page, deletes everything, and opens the app as for the first time. */
  eraseAll(): void;
}

/** Another tab of this browser in a room. `unseen`: there was none, or the browser does not say. */
export type OtherTab =
  | { readonly status: "unseen" }
  | { readonly status: "there"; readonly roomId: string | null }
  | { readonly status: "gone" };

/** The one place in a room that the tabs of a browser share. */
export interface RoomPlace {
  readonly other: ReadableStore<OtherTab>;
  /** Keeps `other` true while the page is in sight. @returns what stops that. */
  watch(): () => void;
  /** A person wants the room here: the next join sends away a tab that they were told of. */
  insist(): void;
}

/** What components ask of the device. */
export interface Device {
  writeClipboard(text: string): Promise<ClipboardWrite>;
  readClipboard(): Promise<ClipboardRead>;
  /** Puts a picture on the clipboard, from a press; null where the browser cannot. */
  readonly writePicture: ((png: Promise<Blob>) => Promise<ClipboardWrite>) | null;
  /** Lets the person choose files; none when they give up. Files chosen so can be opened again after a reload where the browser allows it. */
  pickFiles(options: { readonly multiple: boolean }): Promise<readonly File[]>;
  /** Notes where dropped files lie, for the same. Call it in the very handler of the drop. */
  noteDropped(items: Iterable<DataTransferItem>): void;
  /** Opens the system's share sheet; null where there is none. */
  readonly shareLink: ((link: { readonly title: string; readonly url: string }) => Promise<void>) | null;
  /** Hands files to the system's share sheet; null where it takes none. */
  readonly shareFiles: ((files: readonly File[]) => Promise<void>) | null;
  /** Whether a file dragged out of the window is saved where it is dropped. */
  readonly dragsFilesOut: boolean;
  /** Whether a file can be saved to the downloads without a sheet that asks. */
  readonly savesUnasked: boolean;
  /** Asks the person for a folder to read; null when they choose none. */
  pickFolder(): Promise<ReadableFolder | null>;
  /** Asks the person for a folder to write to; null when they choose none. Null itself where the browser can not ask. */
  readonly pickTargetFolder: (() => Promise<WritableFolder | null>) | null;
  /** Null outside secure contexts, where browsers offer none. */
  readonly media: LocalMedia | null;
  browserData(): Promise<BrowserData>;
  /** What this browser keeps. */
  readonly storage: KeyValueStorage;
  /** What this tab keeps across reloads. */
  readonly tabStorage: KeyValueStorage;
  readonly roomPlace: RoomPlace;
  /** Scheme, host and port of the app, as links begin. */
  readonly origin: string;
}

/** Holds the device of the app around. */
export const DeviceContext = createContext<Device | null>(null);

/** The device of the app around; throws outside of a {@link DeviceContext}. */
export function useDevice(): Device {
  const device = use(DeviceContext);
  if (device === null) throw new Error("useDevice needs a DeviceContext around it");
  return device;
}
