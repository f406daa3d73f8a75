import { cancellationOf } from "@warren/core";
import { fileOutcome, outcomesText } from "./file-outcome.ts";
import {
  bytesOf,
  type EndInput,
  type FileAction,
  type FileCardView,
  fileView,
  sizeOf,
  type Words,
} from "./file-view.ts";

function groupBar(ends: readonly EndInput[], { t, format }: Words): FileCardView["bar"] {
  const totalBytes = ends.reduce((sum, end) => sum + end.file.fileSize, 0);
  const sentBytes = ends.reduce((sum, end) => {
    return sum + (end.state.status === "complete" ? end.file.fileSize : (bytesOf(end) ?? 0));
  }, 0);
  const share = totalBytes === 0 ? 1 : sentBytes / totalBytes;
  const progress = t("file.partOf", format.progress(sentBytes, totalBytes));
  const valueText = t("file.progressText", { percent: format.percent(share), progress });
  return { share, tone: "accent", valueText };
}

function sumOfSpeeds(ends: readonly EndInput[]): number | null {
  const speeds = ends.map((end) => end.transfer?.bytesPerSecond ?? null).filter((speed) => speed !== null);
  return speeds.length === 0 ? null : speeds.reduce((sum, speed) => sum + speed, 0);
}

/** A cancelled offer can be repeated, unless it already was. */
function againOf(ends: readonly EndInput[]): readonly FileAction[] {
  const cancellations = ends.flatMap(({ state }) => cancellationOf(state) ?? []);
  return cancellations.some(({ offeredAgain }) => !offeredAgain) ? ["send-again"] : [];
}

/** The card of my offer to several people: how many have it, and what the others are waiting for. */
export function groupView(ends: readonly [EndInput, ...EndInput[]], words: Words): FileCardView {
  const { t, format } = words;
  const size = sizeOf(ends[0].file, words);
  const countOf = (status: EndInput["state"]["status"]) =>
    ends.filter((end) => end.state.status === status).length;
  const received = t("file.receivedByCount", { received: countOf("complete"), total: ends.length });
  const mark = { kind: "received", text: received } as const;

  if (countOf("transferring") > 0) {
    const speed = sumOfSpeeds(ends);
    return fileView({
      status: "transferring",
      sub: size,
      mark: countOf("complete") > 0 ? mark : null,
      bar: groupBar(ends, words),
      speed: speed === null ? null : format.speed(speed),
      actions: ["pause", "cancel"],
    });
  }
  if (ends.some(({ state }) => state.status === "paused" && state.by === "me")) {
    return fileView({
      status: "stopped",
      sub: t("file.pausedByYou", { progress: size }),
      actions: ["resume"],
    });
  }
  const waiting = countOf("init");
  if (waiting > 0 && countOf("complete") === 0) {
    const sub = t("file.waitingForCount", { size, count: waiting });
    return fileView({ status: "not-started", sub, actions: ["withdraw"] });
  }
  if (
    countOf("complete") === 0 &&
    ends.some(({ state }) => state.status === "paused" && state.by === "queue")
  ) {
    const sub = t("file.queuedBehind", { progress: size });
    return fileView({ status: "not-started", sub, actions: ["withdraw"] });
  }
  const isOver = waiting + countOf("paused") === 0;
  if (isOver && countOf("complete") === 0) {
    const outcomes = ends.map(({ state }) => fileOutcome(state, true));
    const sub = t("file.ended", { size, reason: outcomesText(outcomes, t) });
    return fileView({ status: "incomplete", sub, actions: [...againOf(ends), "more"] });
  }
  return fileView({
    status: isOver ? "complete" : "stopped",
    sub: size,
    mark,
    actions: isOver ? ["more"] : ["withdraw"],
  });
}
