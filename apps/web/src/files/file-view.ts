import type { FileMessage, TransferSnapshot, TransferStatus } from "@warren/core";
import type { Format } from "../i18n/format.ts";
import type { Translate } from "../i18n/messages.ts";
import type { ProgressTone } from "../ui/progress.tsx";
import type { TreePlace } from "./tree/tree-place.ts";

/** What a person can do with a file in the state it is in. */
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

/** SPEC §4's labels of a file's state, and `error`. */
export type FileStatusLabel =
  | "not-started"
  | "stopped"
  | "transferring"
  | "merging"
  | "complete"
  | "incomplete"
  | "error";

/** One other end of a file's way: who sends it to us, or one of those we send it to. */
export interface FileEnd {
  /** How sentences call the person. */
  readonly name: string;
  /** Whether messages reach the person now. */
  readonly isHere: boolean;
  readonly state: TransferStatus;
  readonly transfer: TransferSnapshot | undefined;
  /** Where in a tree its transfer is, where that is known. */
  readonly place?: TreePlace | null;
  /** The file of my tree that changed on the disk and so stopped it, where it is known. */
  readonly changedPath?: string | null;
  /** Bytes kept in this browser while no transfer runs; null where that is not known. */
  readonly storedBytes: number | null;
}

/** Everything a card's words depend on. */
export interface FileCardInput {
  readonly file: FileMessage["file"];
  /** Whether I offered it. */
  readonly isMine: boolean;
  /** At least one; several for my offers to everyone. */
  readonly ends: readonly FileEnd[];
  readonly kind: string | null;
  /** The option `maxFileSize`: what is larger is asked about. */
  readonly limitBytes: number;
  /** Whether what is accepted now can also be saved without a further question. */
  readonly canSaveUnasked?: boolean;
  /** Whether a person has saved it to their disk. */
  readonly isSaved?: boolean;
}

/** The bar of a card. */
export interface FileBar {
  /** 0 to 1. */
  readonly share: number;
  readonly tone: ProgressTone;
  /** "45%, 1.11 of 2.47 GiB, 55 seconds left" */
  readonly valueText: string;
}

/** What a file card shows. */
export interface FileCardView {
  readonly status: FileStatusLabel;
  readonly sub: string;
  /** Before the sub line, shortened where there is no room: the file of a tree that is under way. */
  readonly path: string | null;
  readonly tone: "plain" | "warn" | "danger";
  /** Behind the sub line in accent. */
  readonly mark: { readonly kind: "verified" | "received"; readonly text: string } | null;
  readonly isBusy: boolean;
  readonly bar: FileBar | null;
  /** "24.8 MiB/s"; null while unknown. */
  readonly speed: string | null;
  /** "55 s left"; null while unknown. */
  readonly timeLeft: string | null;
  /** The first one is the obvious one. */
  readonly actions: readonly FileAction[];
}

/** The words and numbers of the language in use. */
export interface Words {
  readonly t: Translate;
  readonly format: Format;
}

/** One end of one file, with what every state's view needs of it. */
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

/** A view of what is given, and nothing for the rest. */
export function fileView(part: ViewPart): FileCardView {
  return { ...nothing, ...part };
}

/** "862 KiB"; of a folder with what is in it: "214 files in 12 folders, 1.26 GiB". Loose files are called by their number. */
export function sizeOf({ fileSize, tree }: FileMessage["file"], { t, format }: Words): string {
  const size = format.size(fileSize);
  if (tree === undefined || (tree.kind === "files" && tree.folders === 0)) return size;
  const files = t("common.files", { count: tree.files });
  return tree.folders === 0
    ? t("folders.looseSummary", { files, size })
    : t("file.folderSummary", { files, folders: t("common.folders", { count: tree.folders }), size });
}

/** Bytes that are through, or null where that is not known. */
export function bytesOf({ transfer, storedBytes }: FileEnd): number | null {
  return transfer?.transferredBytes ?? storedBytes;
}

/** "1.11 of 2.47 GiB", or the size alone while it is not known how much is through. */
export function progressText(end: EndInput, words: Words): string {
  const { t, format } = words;
  const bytes = bytesOf(end);
  return bytes === null
    ? sizeOf(end.file, words)
    : t("file.partOf", format.progress(bytes, end.file.fileSize));
}

/** The bar of what is through; null while that is not known. */
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
