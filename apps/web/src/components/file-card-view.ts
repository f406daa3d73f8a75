import { failedView } from "./failed-file-view.ts";
import {
  barOf,
  type EndInput,
  type FileCardInput,
  type FileCardView,
  fileView,
  progressText,
  type Words,
} from "./file-view.ts";
import { groupView } from "./group-file-view.ts";

function sizeAndKind({ file, kind }: EndInput, { t, format }: Words): string {
  const size = format.size(file.fileSize);
  return kind === null ? size : t("file.sizeAndKind", { size, kind });
}

function offered(end: EndInput, words: Words): FileCardView {
  const { t, format } = words;
  const status = "not-started";
  if (!end.isMine) return fileView({ status, sub: sizeAndKind(end, words), actions: ["accept", "decline"] });
  const { name } = end;
  return end.isHere
    ? fileView({
        status,
        sub: t("file.waitingForAcceptSize", { size: format.size(end.file.fileSize), name }),
        actions: ["withdraw"],
      })
    : fileView({ status, sub: t("file.away", { name }), tone: "warn", actions: ["withdraw"] });
}

function transferring(end: EndInput, words: Words): FileCardView {
  const { t, format } = words;
  const { transfer, file } = end;
  const merging = transfer?.mergingShare ?? null;
  if (merging !== null) {
    const sub = t("file.merging", { size: format.size(file.fileSize) });
    const valueText = t("file.progressText", { percent: format.percent(merging), progress: sub });
    return fileView({
      status: "merging",
      sub,
      isBusy: true,
      bar: { share: merging, tone: "accent", valueText },
    });
  }
  const bytesPerSecond = transfer?.bytesPerSecond ?? null;
  const secondsLeft = transfer?.secondsLeft ?? null;
  return fileView({
    status: "transferring",
    sub: progressText(end, words),
    bar: barOf(end, "accent", words),
    speed: bytesPerSecond === null ? null : format.speed(bytesPerSecond),
    timeLeft: secondsLeft === null ? null : format.timeLeft(secondsLeft * 1000),
    actions: ["pause", "cancel"],
  });
}

function paused(end: EndInput, by: "me" | "peer" | "absence", words: Words): FileCardView {
  const { t } = words;
  const progress = progressText(end, words);
  const bar = barOf(end, "off", words);
  const { name, isHere } = end;
  if (by === "me")
    return fileView({
      status: "stopped",
      sub: t("file.pausedByYou", { progress }),
      bar,
      actions: ["resume"],
    });
  if (by === "peer")
    return fileView({
      status: "stopped",
      sub: t("file.pausedBy", { progress, name }),
      bar,
      actions: ["cancel"],
    });
  return isHere
    ? fileView({ status: "stopped", sub: t("file.waitingFor", { progress, name }), bar, actions: ["cancel"] })
    : fileView({ status: "stopped", sub: t("file.away", { name }), tone: "warn", bar, actions: ["cancel"] });
}

function complete(end: EndInput, isVerified: boolean, { t, format }: Words): FileCardView {
  const sub = format.size(end.file.fileSize);
  if (end.isMine) {
    const mark = { kind: "received", text: t("file.receivedBy", { name: end.name }) } as const;
    return fileView({ status: "complete", sub, mark, actions: ["more"] });
  }
  const mark = isVerified ? ({ kind: "verified", text: t("file.verified") } as const) : null;
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
      return complete(end, state.verified, words);
    case "error":
      return failedView(end, state.error, words);
  }
}

/** What a file card shows, for every state of a file (LOOK's table). */
export function fileCardView({ ends, ...file }: FileCardInput, words: Words): FileCardView {
  const [only, ...others] = ends.map((end): EndInput => ({ ...file, ...end }));
  if (only === undefined)
    return fileView({ status: "not-started", sub: words.format.size(file.file.fileSize) });
  return others.length === 0 ? endView(only, words) : groupView([only, ...others], words);
}
