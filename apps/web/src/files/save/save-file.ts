import { fileInTree, type OpenTree, zipTree } from "@warren/core";
import { safeFileName } from "@warren/protocol";
import { TreePaths } from "@warren/protocol/tree";
import { translate } from "../../i18n/i18n.ts";
import { downloadName } from "../../platform/files/download-name.ts";
import { messageOf } from "../../platform/message-of.ts";
import type { Platform } from "../../wiring/platform-context.ts";
import { toast } from "../../wiring/toast.ts";
import { saveToFolder } from "./save-to-folder.ts";

/** Browsers read an address only after the click or the drop; a minute is ample. */
export const revokeAfterMs = 60_000;

/** The type of every saved file, so that the browser does not open it in the page. */
export const plainType = "application/octet-stream";

/** An address for saving a file, valid until it is revoked. */
export function downloadAddress(file: File): string {
  return URL.createObjectURL(new Blob([file], { type: plainType }));
}

/** @param savedAs the name that the browser gave it; null if it has its own */
type SavedListener = (file: File, savedAs: string | null) => void | Promise<void>;

/**
 * Saves files to the downloads, or where a browser has none, by the share sheet.
 * @param onSaved is called for each file, once it is saved, and again if a person then saves it under its own name
 */
export async function saveFiles(
  files: readonly File[],
  platform: Pick<Platform, "savesBySharing" | "shareFiles" | "pickTargetFolder">,
  onSaved: SavedListener = () => {},
): Promise<void> {
  const { savesBySharing, shareFiles } = platform;
  if (savesBySharing && shareFiles !== null) {
    const named = files.map((file) => new File([file], safeFileName(file.name), { type: file.type }));
    const share = async (): Promise<void> => {
      if (await shareFiles(named)) for (const file of files) await onSaved(file, null);
    };
    await share().catch((failure: unknown) => {
      if (!needsTap(failure)) throw failure;
      askForTap(named, share);
    });
    return;
  }
  const renamed: RenamedFile[] = [];
  for (const file of files) {
    const savedAs = download(file);
    await onSaved(file, savedAs);
    if (savedAs !== null) renamed.push({ file, savedAs });
  }
  const [first, ...others] = renamed;
  if (first !== undefined) offerOwnNames([first, ...others], platform, onSaved);
}

/** The share sheet opens only shortly after a tap, and only once at a time. */
function needsTap(failure: unknown): boolean {
  return (
    failure instanceof DOMException &&
    (failure.name === "NotAllowedError" || failure.name === "InvalidStateError")
  );
}

/** Long enough to read two names and decide. */
const ownNameMs = 20_000;

interface RenamedFile {
  readonly file: File;
  /** The name that the browser gave it. */
  readonly savedAs: string;
}

/** Offers to save files under their own names: in a folder, or in a zip where the browser writes to none. */
function offerOwnNames(
  [first, ...others]: readonly [RenamedFile, ...RenamedFile[]],
  { pickTargetFolder }: Pick<Platform, "pickTargetFolder">,
  onSaved: SavedListener,
): void {
  const { name } = first.file;
  const files = [first, ...others].map(({ file }) => file);
  const isOne = others.length === 0;
  const nameOfAll = isOne ? name : translate("common.files", { count: files.length });
  const reportSaved = async (): Promise<void> => {
    for (const file of files) await onSaved(file, null);
  };
  const saveInFolder = async (pick: NonNullable<typeof pickTargetFolder>): Promise<void> => {
    const target = await pick();
    if (target === null) return;
    const refused = await saveToFolder(treeOf(files), target, { folder: null });
    if (refused > 0) {
      toast.warning(translate("folders.notAllowed", { count: refused }));
      return;
    }
    await reportSaved();
    toast.success(translate("folders.saved", { name: nameOfAll }));
  };
  const saveAsZip = async (): Promise<void> => {
    download(new File([await zipTree(treeOf(files), { folder: null })], `${name}.zip`));
    await reportSaved();
  };
  const save = pickTargetFolder === null ? saveAsZip : () => saveInFolder(pickTargetFolder);
  const reportFailure = (): void => void toast.error(translate("folders.saveFailed", { name: nameOfAll }));
  const title = isOne
    ? translate("file.savedUnder", { name, savedAs: first.savedAs })
    : translate("file.manySavedUnder", { count: files.length });
  toast.info(title, {
    id: `saved ${name}`,
    durationMs: ownNameMs,
    action: {
      label: translate(pickTargetFolder === null ? "folders.saveAsZip" : "folders.saveToFolder"),
      onClick: () => void save().catch(reportFailure),
    },
  });
}

/** The tree of these files, under names that differ on every disk. */
export function treeOf(files: readonly File[]): OpenTree {
  const paths = new TreePaths();
  for (const { name } of files) paths.add("file", name);
  const names = paths.decide();
  let start = 0;
  const entries = files.map(({ name, size, lastModified, type: mimeType }, index) => {
    const entry = {
      kind: "file",
      path: names[index] ?? safeFileName(name),
      size,
      lastModified,
      mimeType,
      start,
    } as const;
    start += size;
    return entry;
  });
  const stream = new Blob([...files]);
  return { entries, stream, fileOf: (entry) => fileInTree(stream, entry) };
}

function askForTap(files: readonly File[], share: () => Promise<void>): void {
  const reportFailure = (failure: unknown): void => {
    const error = messageOf(failure);
    toast.error(translate("toast.shareFailed", { error }));
  };
  const [file] = files;
  const title =
    file !== undefined && files.length === 1
      ? translate("file.readyToSave", { file: file.name })
      : translate("file.manyReadyToSave", { count: files.length });
  toast.info(title, {
    durationMs: Number.POSITIVE_INFINITY,
    action: { label: translate("file.save"), onClick: () => void share().catch(reportFailure) },
  });
}

/** @returns the name that the browser gives the file instead of its own; null if it keeps that */
function download(file: File): string | null {
  const url = downloadAddress(file);
  const anchor = document.createElement("a");
  anchor.href = url;
  const name = safeFileName(file.name);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
  const savedAs = downloadName(name, navigator);
  return savedAs === name ? null : savedAs;
}
