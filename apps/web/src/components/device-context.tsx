import { createContext, use } from "react";
import type { ReadableFolder, WritableFolder } from "./folder-on-disk.ts";

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

/** What components ask of the device. */
export interface Device {
  writeClipboard(text: string): Promise<ClipboardWrite>;
  readClipboard(): Promise<ClipboardRead>;
  /** Opens the system's share sheet; null where there is none. */
  readonly shareLink: ((link: { readonly title: string; readonly url: string }) => Promise<void>) | null;
  /** Hands files to the system's share sheet; null where it takes none. */
  readonly shareFiles: ((files: readonly File[]) => Promise<void>) | null;
  /** Asks the person for a folder to read; null when they choose none. Null itself where the browser can not ask. */
  readonly pickFolder: (() => Promise<ReadableFolder | null>) | null;
  /** Asks the person for a folder to write to; otherwise as `pickFolder`. */
  readonly pickTargetFolder: (() => Promise<WritableFolder | null>) | null;
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
