import { cancellationOf } from "@warren/core";
import type { ErrorCode, ErrorDescription } from "@warren/protocol";
import { errorText } from "../i18n/i18n.ts";
import {
  barOf,
  bytesOf,
  type EndInput,
  type FileCardView,
  fileView,
  sizeOf,
  type Words,
} from "./file-view.ts";

type View = (end: EndInput, error: ErrorDescription, words: Words) => FileCardView;

function ended(end: EndInput, reason: string, words: Words): FileCardView {
  const sub = words.t("file.ended", { size: sizeOf(end.file, words), reason });
  return fileView({ status: "incomplete", sub });
}

const declined: View = (end, _error, words) =>
  end.isMine
    ? ended(end, words.t("file.declined", { name: end.name }), words)
    : { ...ended(end, words.t("file.declinedByYou"), words), actions: ["accept"] };

/**
 * Shows who cancelled a file and what happened since: its sender can send it again, its receiver can request
 * it.
 */
const cancelled: View = (end, _error, words) => {
  const { isMine, name, state } = end;
  const { t } = words;
  const { by = null, askedAgain, offeredAgain } = cancellationOf(state) ?? {};
  if (offeredAgain) return ended(end, t("file.offeredAgain"), words);
  if (askedAgain && !isMine) return ended(end, t("file.youAskedAgain", { name }), words);
  const isByMe = by === (isMine ? "sender" : "receiver");
  const who = isByMe ? t("file.cancelledByYou") : by ? t("file.cancelledBy", { name }) : t("file.cancelled");
  const reason = askedAgain ? t("file.askedAgain", { name }) : who;
  return { ...ended(end, reason, words), actions: [isMine ? "send-again" : "ask-again"] };
};

const changed: View = (end, _error, words) => {
  const { t, format } = words;
  const bytes = bytesOf(end);
  const { name } = end;
  if (end.changedPath) {
    const sub = t("folders.changedHere");
    return fileView({ status: "incomplete", path: end.changedPath, sub, tone: "warn" });
  }
  const whole = end.isMine ? t("file.changedHere") : t("file.changed", { name });
  if (bytes === null)
    return { ...fileView({ status: "incomplete", sub: whole, tone: "warn" }), actions: cureOf(end) };
  const percent = format.percent(bytes / Math.max(1, end.file.fileSize));
  return fileView({
    status: "incomplete",
    sub: end.isMine ? t("file.changedHereAt", { percent }) : t("file.changedAt", { name, percent }),
    tone: "warn",
    bar: barOf(end, "off", words),
    actions: cureOf(end),
  });
};

/** My file, which the receiver already had. */
export function alreadyThere(end: EndInput, words: Words): FileCardView {
  const mark = { kind: "received", text: words.t("sameFile.there", { name: end.name }) } as const;
  return fileView({ status: "complete", sub: sizeOf(end.file, words), mark, actions: ["more"] });
}

const exists: View = (end, error, words) =>
  end.isMine ? alreadyThere(end, words) : otherwise(end, error, words);

const noSpace: View = (end, error, words) => {
  const { t, format } = words;
  const { neededBytes, freeBytes } = error.values;
  const isCounted = typeof neededBytes === "number" && typeof freeBytes === "number";
  const sub = isCounted
    ? t("file.needed", { needed: format.size(neededBytes), free: format.size(freeBytes) })
    : errorText(error);
  return fileView({
    status: "error",
    sub,
    tone: "danger",
    bar: barOf(end, "danger", words),
    // Space must be freed at the receiver; the sender has nothing to free.
    actions: end.isMine ? [] : ["try-again"],
  });
};

/** Larger than the receiver accepts automatically: the user decides. */
export function overLimit(end: EndInput, limitBytes: number, { t, format }: Words): FileCardView {
  const size = format.size(end.file.fileSize);
  const sub = t("file.tooLarge", { size, limit: format.size(limitBytes) });
  return fileView({
    status: "not-started",
    sub,
    tone: "warn",
    actions: ["accept-anyway", "raise-limit", "decline"],
  });
}

/** Receivers of earlier versions reject files over their limit; the sender can do nothing. */
const tooLarge: View = (end, error, words) => {
  const { t, format } = words;
  const { limitBytes } = error.values;
  if (typeof limitBytes !== "number") return otherwise(end, error, words);
  if (!end.isMine) return overLimit(end, limitBytes, words);
  const size = format.size(end.file.fileSize);
  const sub = t("file.tooLargeThere", { size, name: end.name, limit: format.size(limitBytes) });
  return fileView({ status: "error", sub, tone: "danger" });
};

const askAgain: View = (end, error, words) => ({ ...otherwise(end, error, words), actions: cureOf(end) });

const otherwise: View = (end, error, words) =>
  fileView({
    status: "error",
    sub: errorText(error),
    tone: "danger",
    bar: barOf(end, "danger", words),
    actions: ["try-again"],
  });

/** A sender cannot request a file: the receiver does. */
function cureOf(end: EndInput): FileCardView["actions"] {
  return end.isMine ? [] : ["ask-again"];
}

const views: Readonly<Partial<Record<ErrorCode, View>>> = {
  "transfer-declined": declined,
  "transfer-cancelled": cancelled,
  "source-changed": changed,
  "cache-exists": exists,
  "not-enough-space": noSpace,
  "storage-full": noSpace,
  "file-too-large": tooLarge,
  "source-missing": askAgain,
  "root-verification-failed": askAgain,
  "cache-not-found": askAgain,
  "cache-info-not-found": askAgain,
  "transfer-info-missing": askAgain,
  "tree-invalid": askAgain,
};

/** The card of a file that ended incomplete: the reason and the fix. */
export const failedView: View = (end, error, words) => (views[error.code] ?? otherwise)(end, error, words);
