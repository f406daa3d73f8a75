import type { FileMessage, TransferSnapshot, TransferState } from "@warren/core";
import type { Format } from "../i18n/format.ts";
import type { Translate } from "../i18n/messages.ts";
import type { ProgressTone } from "../ui/progress.tsx";
import type { TreePlace } from "./tree/tree-place.ts";

/** The user's possible actions on a file. */
export type FileAction =
  | "accept"
  | "accept-and-save"
  | "accept-anyway"
  | "raise-limit"
  | "decline"
  | "withdraw"
  | "pause"
  | "cancel"
  | "resume"
  | "choose"
  | "save"
  | "more"
  | "ask-again"
  | "send-again"
  | "try-again";

/** The labels of a file's state. */
export type FileStatusLabel =
  | "not-started"
  | "stopped"
  | "transferring"
  | "merging"
  | "complete"
  | "incomplete"
  | "error";

/** A peer at the other end of a file's transfer: its sender, or one of my recipients. */
export interface FileEnd {
  /** The name used in sentences. */
  readonly name: string;
  /** Whether the peer can receive messages now. */
  readonly isHere: boolean;
  readonly state: TransferState;
  readonly transfer: TransferSnapshot | undefined;
  /** The transfer's position in a tree, if known. */
  readonly place?: TreePlace | null;
  /** The file of my tree whose change on the disk stopped the transfer, if known. */
  readonly changedPath?: string | null;
  /** Bytes stored in this browser while no transfer runs; null if unknown. */
  readonly storedBytes: number | null;
}

/** All inputs of a card's text. */
export interface FileCardInput {
  readonly file: FileMessage["file"];
  /** Whether I offered it. */
  readonly isMine: boolean;
  /** At least one; several for my offers to everyone. */
  readonly ends: readonly FileEnd[];
  readonly kind: string | null;
  /** The option `maxFileSize`: larger files need a confirmation. */
  readonly limitBytes: number;
  /** Whether a file accepted now can also be saved without another prompt. */
  readonly canSaveUnasked?: boolean;
  /** Whether the user has saved it to disk. */
  readonly isSaved?: boolean;
}

/** The progress bar of a card. */
export interface FileBar {
  /** 0 to 1. */
  readonly share: number;
  readonly tone: ProgressTone;
  /** "45%, 1.11 of 2.47 GiB, 55 seconds left" */
  readonly valueText: string;
}

/** The content of a file card. */
export interface FileCardView {
  readonly status: FileStatusLabel;
  readonly sub: string;
  /** Before the sub line, shortened to fit: the current file of a tree. */
  readonly path: string | null;
  readonly tone: "plain" | "warn" | "danger";
  /** After the sub line, in accent. */
  readonly mark: { readonly kind: "verified" | "received"; readonly text: string } | null;
  readonly isBusy: boolean;
  readonly bar: FileBar | null;
  /** "24.8 MiB/s"; null while unknown. */
  readonly speed: string | null;
  /** "55 s left"; null while unknown. */
  readonly timeLeft: string | null;
  /** The first one is the primary one. */
  readonly actions: readonly FileAction[];
}

/** Translation and number formats of the current language. */
export interface Words {
  readonly t: Translate;
  readonly format: Format;
}

/** One end of one file, with the input shared by all views. */
export interface EndInput extends FileEnd, Omit<FileCardInput, "ends"> {}

const nothing = {
  path: null,
  tone: "plain",
  mark: null,
  isBusy: false,
  bar: null,
  speed: null,
  timeLeft: null,
  actions: [],
} as const;

type ViewPart = Pick<FileCardView, "status" | "sub"> & Partial<FileCardView>;

/** A view with the given parts; the rest is empty. */
export function fileView(part: ViewPart): FileCardView {
  return { ...nothing, ...part };
}

/** "862 KiB"; a folder with its contents: "214 files in 12 folders, 1.26 GiB". Loose files are counted. */
export function sizeOf({ fileSize, tree }: FileMessage["file"], { t, format }: Words): string {
  const size = format.size(fileSize);
  if (tree === undefined || (tree.kind === "files" && tree.folders === 0)) return size;
  const files = t("common.files", { count: tree.files });
  return tree.folders === 0
    ? t("folders.looseSummary", { files, size })
    : t("file.folderSummary", { files, folders: t("common.folders", { count: tree.folders }), size });
}

/** Bytes transferred, or null if unknown. */
export function bytesOf({ transfer, storedBytes }: FileEnd): number | null {
  return transfer?.transferredBytes ?? storedBytes;
}

/** "1.11 of 2.47 GiB", or only the size while the progress is unknown. */
export function progressText(end: EndInput, words: Words): string {
  const { t, format } = words;
  const bytes = bytesOf(end);
  return bytes === null
    ? sizeOf(end.file, words)
    : t("file.partOf", format.progress(bytes, end.file.fileSize));
}

/** The progress bar; null while the progress is unknown. */
export function barOf(end: EndInput, tone: ProgressTone, words: Words): FileBar | null {
  const { t, format } = words;
  const bytes = bytesOf(end);
  if (bytes === null) return null;
  const share = end.file.fileSize === 0 ? 1 : bytes / end.file.fileSize;
  const progress = progressText(end, words);
  const secondsLeft = tone === "accent" ? (end.transfer?.secondsLeft ?? null) : null;
  const percent = format.percent(share);
  const valueText =
    secondsLeft === null
      ? t("file.progressText", { percent, progress })
      : t("file.progressTextLeft", { percent, progress, left: format.timeLeftSpoken(secondsLeft * 1000) });
  return { share, tone, valueText };
}
