import type { PauseReason, TransferState } from "@warren/core";
import { alreadyThere, failedView, overLimit } from "./failed-file-view.ts";
import {
  barOf,
  type EndInput,
  type FileCardInput,
  type FileCardView,
  fileView,
  progressText,
  sizeOf,
  type Words,
} from "./file-view.ts";
import { groupView } from "./group-file-view.ts";

function sizeAndKind({ file, kind }: EndInput, words: Words): string {
  const { t } = words;
  const size = sizeOf(file, words);
  return kind === null ? size : t("file.sizeAndKind", { size, kind });
}

function offered(end: EndInput, words: Words): FileCardView {
  const { t } = words;
  const status = "not-started";
  if (!end.isMine) {
    if (end.file.fileSize > end.limitBytes) return overLimit(end, end.limitBytes, words);
    const accept = end.canSaveUnasked ? (["accept", "accept-and-save"] as const) : (["accept"] as const);
    return fileView({ status, sub: sizeAndKind(end, words), actions: [...accept, "decline"] });
  }
  const { name } = end;
  return end.isHere
    ? fileView({
        status,
        sub: t("file.waitingForAcceptSize", { size: sizeOf(end.file, words), name }),
        actions: ["withdraw"],
      })
    : fileView({ status, sub: t("file.away", { name }), tone: "warn", actions: ["withdraw"] });
}

function transferring(end: EndInput, words: Words): FileCardView {
  const { t, format } = words;
  const { transfer, file } = end;
  const merging = transfer?.mergingShare ?? null;
  if (merging !== null) {
    const percent = format.percent(merging);
    const sub = t("file.merging", { size: format.size(file.fileSize), percent });
    return fileView({
      status: "merging",
      sub,
      isBusy: true,
      bar: { share: merging, tone: "accent", valueText: sub },
    });
  }
  const bytesPerSecond = transfer?.bytesPerSecond ?? null;
  const secondsLeft = transfer?.secondsLeft ?? null;
  const speed = bytesPerSecond === null ? null : format.speed(bytesPerSecond);
  return fileView({
    status: "transferring",
    ...movingText(end, speed, words),
    bar: barOf(end, "accent", words),
    timeLeft: secondsLeft === null ? null : format.timeLeft(secondsLeft * 1000),
    actions: ["pause", "cancel"],
  });
}

/**
 * Bytes moved and speed. For a tree the sub line shows the current file, so its bytes are shown with the
 * speed.
 */
function movingText(
  end: EndInput,
  speed: string | null,
  words: Words,
): Pick<FileCardView, "sub" | "path" | "speed"> {
  const { t, format } = words;
  const bytes = progressText(end, words);
  const { place, file } = end;
  if (!place || !file.tree) return { sub: bytes, path: null, speed };
  const done = format.number(place.doneFiles);
  const total = format.number(file.tree.files);
  return {
    sub: t("folders.progress", { done, total }),
    path: place.path,
    speed: speed === null ? bytes : t("folders.bytesAndSpeed", { bytes, speed }),
  };
}

/** Blocked until the user fixes something, here or at the other end. */
function blocked(end: EndInput, by: "source" | "storage", words: Words): FileCardView {
  const { t } = words;
  const progress = progressText(end, words);
  const { name, isMine } = end;
  const rest = { status: "stopped", tone: "warn", bar: barOf(end, "off", words) } as const;
  if (by === "source") {
    // A folder consists of many files: picking a single one cannot replace it.
    const isTree = end.file.tree !== undefined;
    const there = t(isTree ? "fileWait.sendAgainThere" : "fileWait.chooseAgainThere", { name });
    if (!isMine) return fileView({ ...rest, sub: there, actions: ["cancel"] });
    return isTree
      ? fileView({ ...rest, sub: t("fileWait.sendAgain"), actions: ["cancel"] })
      : fileView({ ...rest, sub: t("fileWait.chooseAgain", { progress }), actions: ["choose", "cancel"] });
  }
  return isMine
    ? fileView({ ...rest, sub: t("fileWait.storageFullThere", { progress, name }), actions: ["cancel"] })
    : fileView({ ...rest, sub: t("fileWait.storageFull", { progress }), actions: ["try-again", "cancel"] });
}

function paused(end: EndInput, by: PauseReason, words: Words): FileCardView {
  if (by === "source" || by === "storage") return blocked(end, by, words);
  const { t } = words;
  const progress = progressText(end, words);
  const bar = barOf(end, "off", words);
  const { name, isHere } = end;
  if (by === "me")
    return fileView({
      status: "stopped",
      sub: t("file.pausedByYou", { progress }),
      bar,
      actions: ["resume", "cancel"],
    });
  if (by === "peer")
    return fileView({
      status: "stopped",
      sub: t("file.pausedBy", { progress, name }),
      bar,
      actions: ["cancel"],
    });
  if (by === "queue" && isHere)
    return fileView({
      status: "not-started",
      sub: t("file.queuedBehind", { progress }),
      bar,
      actions: ["cancel"],
    });
  const begins = end.transfer?.state.status === "init";
  return isHere
    ? fileView({
        status: begins ? "not-started" : "stopped",
        sub: t("file.waitingFor", { progress, name }),
        bar,
        actions: begins ? ["cancel"] : ["try-again", "cancel"],
      })
    : fileView({ status: "stopped", sub: t("file.away", { name }), tone: "warn", bar, actions: ["cancel"] });
}

type Complete = Extract<TransferState, { status: "complete" }>;

function complete(end: EndInput, { verified, already }: Complete, words: Words): FileCardView {
  const { t } = words;
  const { name } = end;
  if (end.isMine && already) return alreadyThere(end, words);
  const sub = sizeOf(end.file, words);
  if (end.isMine) {
    const mark = { kind: "received", text: t("file.receivedBy", { name }) } as const;
    return fileView({ status: "complete", sub, mark, actions: ["more"] });
  }
  const text = t(end.isSaved ? "file.saved" : already ? "sameFile.here" : "file.verified");
  const mark = verified || end.isSaved ? ({ kind: "verified", text } as const) : null;
  return fileView({ status: "complete", sub, mark, actions: ["save"] });
}

function endView(end: EndInput, words: Words): FileCardView {
  const { state } = end;
  switch (state.status) {
    case "init":
      return offered(end, words);
    case "transferring":
      return transferring(end, words);
    case "paused":
      return paused(end, state.by, words);
    case "complete":
      return complete(end, state, words);
    case "error":
      return failedView(end, state.error, words);
  }
}

/** The content of a file card, for every state of a file. */
export function fileCardView({ ends, ...file }: FileCardInput, words: Words): FileCardView {
  const [only, ...others] = ends.map((end): EndInput => ({ ...file, ...end }));
  if (only === undefined) return fileView({ status: "not-started", sub: sizeOf(file.file, words) });
  return others.length === 0 ? endView(only, words) : groupView([only, ...others], words);
}
