import {
  type FileMessage,
  type FileSearchState,
  isCancelled,
  type Offer,
  type TransferSnapshot,
} from "@warren/core";
import type { ErrorValues } from "@warren/protocol";
import { combinedState } from "../../file-state/combined-state.ts";
import { type FileLabel, type FileState, fileStateOf, fileStates } from "../../file-state/file-state.ts";
import { capitalised, type Format } from "../../i18n/format.ts";
import { errorText } from "../../i18n/i18n.ts";
import type { Translate } from "../../i18n/messages.ts";
import type { ProgressTone } from "../../ui/progress.tsx";
import type { TreePosition } from "../tree/tree-position.ts";
import { outcomesText, receivedText } from "./file-outcome.ts";

/** The user's possible actions on a file. */
export type FileAction =
  | "accept"
  | "accept-anyway"
  | "accept-after-all"
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

/** A peer at the other end of a file's transfer: its sender, or one of my recipients. */
export interface FileEnd {
  /** The name used in sentences. */
  readonly name: string;
  /** Whether the peer can receive messages now. */
  readonly isHere: boolean;
  /** Whether my offer did not arrive; the line under the message says so. */
  readonly isUnsent?: boolean;
  readonly offer: Offer;
  readonly transfer: TransferSnapshot | undefined;
  /** The transfer's position in a tree, if known. */
  readonly position?: TreePosition | null;
  /** The file of my tree whose change on the disk stopped the transfer, if known. */
  readonly changedPath?: string | null;
  /** Bytes stored in this browser while no transfer runs; null if unknown. */
  readonly storedBytes: number | null;
}

/** All inputs of a card's text. */
interface FileCardInput {
  readonly file: FileMessage["file"];
  /** Whether I offered it. */
  readonly isMine: boolean;
  /** Several for my offers to everyone, and none while nobody has got one. */
  readonly ends: readonly FileEnd[];
  readonly kind: string | null;
  /** The option `maxFileSize`: larger files need a confirmation. */
  readonly limitBytes: number;
  /** Whether the user has saved it to disk. */
  readonly isSaved?: boolean;
  /** The name that the browser gave it there; null if it has its own. */
  readonly savedAs?: string | null;
  /** Why a received file is no longer here: deleted by the user, or lost by the browser. */
  readonly loss?: "gone" | "missing" | null;
  /** Whether it is offered to everyone: others may give it while its author is away. */
  readonly isToEveryone?: boolean;
  /** An offer of mine to everyone that nobody has got yet and whoever comes may get. */
  readonly awaitsAnybody?: boolean;
  /** An offer to everyone whose author does not give it: whether others have it. `given`: by whom the end is. */
  readonly search?: FileSearchState["state"] | null;
}

/** The progress bar of a card. */
interface FileBar {
  /** 0 to 1. */
  readonly fraction: number;
  readonly tone: ProgressTone;
  /** "45%, 1.11 of 2.47 GB, 55 seconds left" */
  readonly valueText: string;
}

/** The content of a file card. */
export interface FileCardView {
  readonly label: FileLabel;
  readonly sub: string;
  /** The current file of a tree, before the sub line and shortened to fit. */
  readonly path: string | null;
  readonly tone: "plain" | "warn" | "danger";
  /** What has become of it, apart from the sub line. */
  readonly mark: {
    readonly kind: "waiting" | "verified" | "received" | "ended";
    readonly text: string;
  } | null;
  readonly isBusy: boolean;
  readonly bar: FileBar | null;
  /** "24.8 MB/s"; null while unknown. */
  readonly speed: string | null;
  /** "55 s left"; null while unknown. */
  readonly timeLeft: string | null;
  /** The first one is the primary one. */
  readonly actions: readonly FileAction[];
  /** Whether the user has decided already, so that nothing here waits for a press. */
  readonly isSettled: boolean;
}

/** Translation and number formats of the current language. */
export interface Words {
  readonly t: Translate;
  readonly format: Format;
}

/** One end of one file, with the input shared by all views. */
interface End extends FileEnd, Omit<FileCardInput, "ends"> {
  readonly fileState: FileState;
}

const nothing = {
  path: null,
  tone: "plain",
  mark: null,
  isBusy: false,
  bar: null,
  speed: null,
  timeLeft: null,
  actions: [],
  isSettled: false,
} as const;

/** What a state shows besides its label; the rest is empty. */
type CardPart = Pick<FileCardView, "sub"> & Partial<Omit<FileCardView, "label">>;
type View = (end: End, words: Words) => CardPart;

/** "862 kB"; a folder with its contents: "214 files in 12 folders, 1.26 GB". Loose files are counted. */
export function sizeText(
  { fileSize, tree }: Pick<FileMessage["file"], "fileSize" | "tree">,
  { t, format }: Words,
): string {
  const size = format.size(fileSize);
  if (tree === undefined || (tree.kind === "files" && tree.folders === 0)) return size;
  const files = t("common.files", { count: tree.files });
  return tree.folders === 0
    ? t("folders.looseSummary", { files, size })
    : t("file.folderSummary", { files, folders: t("common.folders", { count: tree.folders }), size });
}

/** Bytes transferred, or null if unknown: a transfer that was only queued does not know what earlier ones left. */
function bytesOf({ transfer, storedBytes }: FileEnd): number | null {
  const isStarted = transfer !== undefined && transfer.startedAt !== null;
  return isStarted ? transfer.transferredBytes : storedBytes;
}

/** "1.11 of 2.47 GB", or only the size while the progress is unknown. */
function progressText(end: End, words: Words): string {
  const { t, format } = words;
  const bytes = bytesOf(end);
  return bytes === null
    ? sizeText(end.file, words)
    : t("file.partOf", format.progress(bytes, end.file.fileSize));
}

/** The progress bar; null while the progress is unknown. */
function barOf(end: End, tone: ProgressTone, words: Words): FileBar | null {
  const { t, format } = words;
  const bytes = bytesOf(end);
  if (bytes === null) return null;
  const fraction = end.file.fileSize === 0 ? 1 : bytes / end.file.fileSize;
  const progress = progressText(end, words);
  const secondsLeft = tone === "accent" ? (end.transfer?.secondsLeft ?? null) : null;
  const percent = format.percent(fraction);
  const valueText =
    secondsLeft === null
      ? t("file.progressText", { percent, progress })
      : t("file.progressTextLeft", { percent, progress, left: format.timeLeftSpoken(secondsLeft * 1000) });
  return { fraction, tone, valueText };
}

const offered: View = (end, words) => {
  const { t } = words;
  const { name, isMine, isHere, isUnsent, isToEveryone = false, file, kind, limitBytes } = end;
  const size = sizeText(file, words);
  if (isMine) {
    if (!isHere) return { sub: t("file.away", { name }), tone: "warn", actions: ["withdraw"] };
    const mark = isUnsent ? null : ({ kind: "waiting", text: t("file.waitingForAccept", { name }) } as const);
    return { sub: size, mark, actions: ["withdraw"] };
  }
  if (file.fileSize > limitBytes) return overLimit(end, limitBytes, words);
  const described = kind === null ? size : t("file.sizeAndKind", { size, kind });
  const isLater = !isHere && !isToEveryone;
  const sub = isLater ? t("file.arrivesLater", { size, name }) : described;
  return { sub, actions: ["accept", "decline"] };
};

/** Larger than the receiver accepts automatically: the user decides. */
function overLimit({ file }: End, limitBytes: number, { t, format }: Words): CardPart {
  const sub = t("file.tooLarge", { size: format.size(file.fileSize), limit: format.limit(limitBytes) });
  return { sub, tone: "warn", actions: ["accept-anyway", "raise-limit", "decline"] };
}

const running: View = (end, words) => {
  const { t, format } = words;
  const { bytesPerSecond = null, secondsLeft = null } = end.transfer ?? {};
  const speed = bytesPerSecond === null ? null : format.speed(bytesPerSecond);
  // The other side has yet to compare it, or to write it to its disk; or it sends or takes nothing.
  const isTheirTurn = bytesOf(end) === end.file.fileSize || end.transfer?.isSilent === true;
  const moving = isTheirTurn ? opening(end, words) : movingText(end, speed, words);
  return {
    ...moving,
    ...(end.search === "given" && { sub: t("file.givenBy", { progress: moving.sub, name: end.name }) }),
    bar: barOf(end, "accent", words),
    timeLeft: secondsLeft === null ? null : format.timeLeft(secondsLeft * 1000),
    actions: ["pause", "cancel"],
  };
};

/**
 * Bytes moved and speed. For a tree the sub line shows the current file, so its bytes are shown with the
 * speed.
 */
function movingText(
  end: End,
  speed: string | null,
  words: Words,
): Pick<FileCardView, "sub" | "path" | "speed"> {
  const { t, format } = words;
  const bytes = progressText(end, words);
  const { position, file } = end;
  if (!position || !file.tree) return { sub: bytes, path: null, speed };
  const total = format.number(file.tree.files);
  // As wide as the total: the words after it stay where they are.
  const done = format.number(position.doneFiles).padStart(total.length, "\u2007");
  return {
    sub: t("folders.progress", { done, total }),
    path: position.path,
    speed: speed === null ? bytes : t("folders.bytesAndSpeed", { bytes, speed }),
  };
}

const merging: View = ({ transfer }, { t, format }) => {
  const fraction = transfer?.mergingProgress ?? 0;
  const sub = t("file.merging", { percent: format.percent(fraction) });
  return { sub, isBusy: true, bar: { fraction, tone: "accent", valueText: sub } };
};

/** Accepted but not moving: the text of a state, and its actions before Cancel. */
function stopped(wordsOf: View): View {
  return (end, words) => {
    const { actions = [], ...part } = wordsOf(end, words);
    return { bar: barOf(end, "off", words), ...part, actions: [...actions, "cancel"] };
  };
}

const accepted: View = (end, words) => {
  const { name, isHere } = end;
  if (isHere) return { ...opening(end, words), actions: ["try-again"] };
  return searched(end, words) ?? { sub: words.t("file.away", { name }), tone: "warn" };
};

/** What others in the room say of a file that its author does not give. */
function searched({ name, search }: End, { t }: Words): CardPart | null {
  if (search === "asking") return { sub: t("file.asking", { name }), isBusy: true };
  if (search === "nobody") return { sub: t("file.nobody", { name }), tone: "warn", actions: ["try-again"] };
  return null;
}

const opening: View = (end, words) => ({
  sub: words.t("file.waitingFor", { progress: progressText(end, words), name: end.name }),
});

const needsSource: View = (end, words) => {
  const { t } = words;
  const { name, isMine } = end;
  // A folder consists of many files: picking a single one cannot replace it.
  const isTree = end.file.tree !== undefined;
  if (!isMine) {
    const sub = t(isTree ? "fileWait.sendAgainThere" : "fileWait.chooseAgainThere", { name });
    return { sub, tone: "warn" };
  }
  if (isTree) return { sub: t("fileWait.sendAgain"), tone: "warn" };
  const sub = t("fileWait.chooseAgain", { progress: progressText(end, words) });
  return { sub, tone: "warn", actions: ["choose"] };
};

const needsSpace: View = (end, words) => {
  const { t } = words;
  const { name, isMine } = end;
  const progress = progressText(end, words);
  return isMine
    ? { sub: t("fileWait.storageFullThere", { progress, name }), tone: "warn" }
    : { sub: t("fileWait.storageFull", { progress }), tone: "warn", actions: ["try-again"] };
};

const complete: View = (end, words) => {
  const { t } = words;
  const { name, isMine, isSaved, savedAs = null, offer } = end;
  const sub = sizeText(end.file, words);
  if (isMine)
    return { sub, mark: { kind: "received", text: t("file.receivedBy", { name }) }, actions: ["more"] };
  const isAlready = offer.state === "complete" && offer.already;
  const saved = savedAs === null ? t("file.saved") : t("file.savedAs", { name: savedAs });
  const text = isSaved ? saved : t(isAlready ? "sameFile.here" : "file.verified");
  const actions = [isSaved ? "more" : "save"] as const;
  return { sub, mark: { kind: "verified", text }, actions, isSettled: isSaved ?? false };
};

const alreadyThere: View = ({ file, name }, words) => ({
  sub: sizeText(file, words),
  mark: { kind: "received", text: words.t("sameFile.there", { name }) },
  actions: ["more"],
});

function ended({ file }: End, text: string, words: Words): CardPart {
  return { sub: sizeText(file, words), mark: { kind: "ended", text } };
}

const declined: View = (end, words) =>
  end.isMine
    ? ended(end, words.t("file.declined", { name: end.name }), words)
    : { ...ended(end, words.t("file.declinedByYou"), words), actions: ["accept-after-all"], isSettled: true };

/** Who cancelled it, and what can follow: its sender can send it again, its receiver can request it. */
function cancelled(whoOf: (end: End, words: Words) => string): View {
  return (end, words) => {
    const { isMine, name, offer } = end;
    const { t } = words;
    const { askedAgain, offeredAgain } = isCancelled(offer) ? offer : {};
    if (offeredAgain) return ended(end, t("file.offeredAgain"), words);
    if (askedAgain && !isMine) return ended(end, t("file.youAskedAgain", { name }), words);
    const reason = askedAgain ? t("file.askedAgain", { name }) : whoOf(end, words);
    return { ...ended(end, reason, words), actions: [isMine ? "send-again" : "ask-again"] };
  };
}

const changed: View = (end, words) => {
  const { t, format } = words;
  const { name, isMine, changedPath, file } = end;
  if (changedPath) return { path: changedPath, sub: t("folders.changedHere"), tone: "warn" };
  const bytes = bytesOf(end);
  const percent = bytes === null ? null : format.percent(bytes / Math.max(1, file.fileSize));
  const here = percent === null ? t("file.changedHere") : t("file.changedHereAt", { percent });
  const there = percent === null ? t("file.changed", { name }) : t("file.changedAt", { name, percent });
  return {
    sub: isMine ? here : there,
    tone: "warn",
    bar: barOf(end, "off", words),
    // A folder cannot be picked again here.
    actions: isMine && file.tree === undefined ? ["send-again"] : requestOf(end),
  };
};

/** Only the receiver can request a file. */
function requestOf({ isMine }: End): readonly FileAction[] {
  return isMine ? [] : ["ask-again"];
}

const failed: View = (end, words) => ({
  sub: end.offer.state === "failed" ? errorText(end.offer.error) : "",
  tone: "danger",
  bar: barOf(end, "danger", words),
  actions: ["try-again"],
});

const outOfSpace: View = (end, words) => {
  const { t, format } = words;
  const { neededBytes, freeBytes } = valuesOf(end);
  const isCounted = typeof neededBytes === "number" && typeof freeBytes === "number";
  const needed = isCounted && {
    sub: t("file.needed", { needed: format.size(neededBytes), free: format.size(freeBytes) }),
  };
  // Space must be freed at the receiver; the sender has nothing to free.
  return { ...failed(end, words), ...needed, ...(end.isMine && { actions: [] }) };
};

/** Their file is no longer on their disk: the error's own words are those of its sender. */
function goneThere({ isMine, name, offer }: End, { t }: Words): Pick<CardPart, "sub"> | null {
  const isGone = !isMine && offer.state === "failed" && offer.error.code === "source-missing";
  return isGone ? { sub: t("file.goneThere", { name }) } : null;
}

function valuesOf({ offer }: End): ErrorValues {
  return offer.state === "failed" ? offer.error.values : {};
}

/** The card of each state. */
const views: Readonly<Record<FileState, View>> = {
  offered,
  opening: stopped(opening),
  queued: stopped((end, words) => ({
    sub: words.t("file.queuedBehind", { progress: progressText(end, words) }),
  })),
  running,
  merging,
  pausedHere: stopped((end, words) => ({
    sub: words.t("file.pausedByYou", { progress: progressText(end, words) }),
    actions: ["resume"],
  })),
  pausedThere: stopped((end, words) => ({
    sub: words.t("file.pausedBy", { progress: progressText(end, words), name: end.name }),
  })),
  accepted: stopped(accepted),
  needsSource: stopped(needsSource),
  needsSpace: stopped(needsSpace),
  complete,
  alreadyThere,
  gone: ({ file }, { t, format }) => ({
    sub: t("file.gone", { size: format.size(file.fileSize) }),
    actions: ["ask-again"],
  }),
  missing: ({ file }, { t, format }) => ({
    sub: t("file.missing", { size: format.size(file.fileSize) }),
    tone: "warn",
    actions: ["ask-again"],
  }),
  declined,
  cancelledHere: cancelled((_end, { t }) => t("file.cancelledByYou")),
  cancelledThere: cancelled(({ name }, { t }) => t("file.cancelledBy", { name })),
  changed,
  outOfSpace,
  unusable: (end, words) =>
    end.changedPath
      ? { path: end.changedPath, sub: words.t("folders.goneHere"), tone: "warn" }
      : { ...failed(end, words), ...goneThere(end, words), actions: requestOf(end) },
  failed,
};

function groupBar(ends: readonly End[], { t, format }: Words): FileBar {
  const totalBytes = ends.reduce((sum, end) => sum + end.file.fileSize, 0);
  const sentBytes = ends.reduce((sum, end) => {
    const isComplete = fileStates[end.fileState].outcome === "complete";
    return sum + (isComplete ? end.file.fileSize : (bytesOf(end) ?? 0));
  }, 0);
  const fraction = totalBytes === 0 ? 1 : sentBytes / totalBytes;
  const progress = t("file.partOf", format.progress(sentBytes, totalBytes));
  const valueText = t("file.progressText", { percent: format.percent(fraction), progress });
  return { fraction, tone: "accent", valueText };
}

function sumOfSpeeds(ends: readonly End[]): number | null {
  const speeds = ends.map((end) => end.transfer?.bytesPerSecond ?? null).filter((speed) => speed !== null);
  return speeds.length === 0 ? null : speeds.reduce((sum, speed) => sum + speed, 0);
}

/** A cancelled offer can be repeated, unless it already was. */
function againOf(ends: readonly End[]): readonly FileAction[] {
  return ends.some(({ offer }) => isCancelled(offer) && !offer.offeredAgain) ? ["send-again"] : [];
}

/** My offer to several people, as one card. */
interface Group {
  readonly state: FileState;
  readonly ends: readonly End[];
  /** "862 kB" */
  readonly size: string;
  readonly received: number;
}

type GroupView = (group: Group, words: Words) => CardPart;
/** What a group that waits says; null leaves it to the next line. */
type GroupLine = (group: Group, words: Words) => Partial<CardPart> | null;

function receivedMark({ ends, received }: Group, { t }: Words): FileCardView["mark"] {
  return { kind: "received", text: capitalised(receivedText(received, ends.length, t)) };
}

const noneReceived: GroupLine = (group, words) => ({ mark: receivedMark(group, words) });

/** How many have yet to decide; null once somebody has it. */
const undecided: GroupLine = ({ ends, received }, { t }) => {
  const count = ends.filter(({ fileState, isUnsent }) => fileState === "offered" && !isUnsent).length;
  const isSaid = count > 0 && received === 0;
  return isSaid ? { mark: { kind: "waiting", text: t("file.waitingForCount", { count }) } } : null;
};

/** Why it does not move, in the words of the first person in its state. */
const reason: GroupLine = ({ state, ends }, words) => {
  const first = ends.find(({ fileState }) => fileState === state);
  if (first === undefined) return null;
  // The card is about everyone, so it leaves out how much this person has.
  const part = views[state]({ ...first, transfer: undefined, storedBytes: null }, words);
  const { sub, tone = "plain", actions = [] } = part;
  return { sub, tone, actions: actions.filter((action) => action === "choose") };
};

/** As {@link reason}, if one person alone is the reason. */
const onlyReason: GroupLine = (group, words) =>
  group.ends.filter(({ fileState }) => fileState === group.state).length === 1 ? reason(group, words) : null;

/** Not over: the first of the lines that says something, and how many have it. */
function waitingGroup(...lines: readonly GroupLine[]): GroupView {
  return (group, words) => {
    const [part = {}] = lines.flatMap((line) => line(group, words) ?? []);
    return {
      sub: group.size,
      ...part,
      ...(group.received > 0 && { mark: receivedMark(group, words) }),
      actions: [...(part.actions ?? []), "withdraw"],
    };
  };
}

const movingGroup: GroupView = (group, words) => {
  const speed = sumOfSpeeds(group.ends);
  return {
    sub: group.size,
    mark: group.received > 0 ? receivedMark(group, words) : null,
    bar: groupBar(group.ends, words),
    speed: speed === null ? null : words.format.speed(speed),
    actions: ["pause", "cancel"],
  };
};

const receivedGroup: GroupView = (group, words) => ({
  sub: group.size,
  mark: receivedMark(group, words),
  actions: ["more"],
});

/** Over, and nobody has it: what became of it for how many. */
const endedGroup: GroupView = ({ size, ends }, { t, format }) => {
  const outcomes = ends.map(({ fileState }) => fileStates[fileState].outcome);
  const text = capitalised(outcomesText(outcomes, t, format));
  return { sub: size, mark: { kind: "ended", text }, actions: [...againOf(ends), "more"] };
};

const heldGroup = waitingGroup(undecided, onlyReason, noneReceived);

/** The card of each state of my offer to several people, whose state is the first that one of them is in. */
const groupViews: Readonly<Record<FileState, GroupView>> = {
  running: movingGroup,
  merging: movingGroup,
  pausedHere: ({ size }, { t }) => ({
    sub: t("file.pausedByYou", { progress: size }),
    actions: ["resume"],
  }),
  opening: waitingGroup(undecided, noneReceived),
  queued: waitingGroup(undecided, ({ size }, { t }) => ({ sub: t("file.queuedBehind", { progress: size }) })),
  needsSource: waitingGroup(reason),
  needsSpace: heldGroup,
  pausedThere: heldGroup,
  accepted: heldGroup,
  offered: waitingGroup(undecided),
  complete: receivedGroup,
  alreadyThere: receivedGroup,
  gone: receivedGroup,
  missing: receivedGroup,
  failed: endedGroup,
  outOfSpace: endedGroup,
  changed: endedGroup,
  unusable: endedGroup,
  declined: endedGroup,
  cancelledHere: endedGroup,
  cancelledThere: endedGroup,
};

function groupView(state: FileState, ends: readonly [End, ...End[]], words: Words): CardPart {
  const received = ends.filter(({ fileState }) => fileStates[fileState].outcome === "complete").length;
  return groupViews[state]({ state, ends, size: sizeText(ends[0].file, words), received }, words);
}

/** The content of a file card, for every state of a file. */
export function fileCardView({ ends: given, ...shared }: FileCardInput, words: Words): FileCardView {
  const { isMine, loss = null } = shared;
  const ends = given.map((end): End => {
    const { offer, transfer, isHere } = end;
    return { ...shared, ...end, fileState: fileStateOf(offer, isMine, { transfer, isHere, loss }) };
  });
  const [first, ...others] = ends;
  const state = combinedState(ends.map(({ fileState }) => fileState));
  if (first === undefined || state === null) {
    const sub = sizeText(shared.file, words);
    if (shared.awaitsAnybody) return { ...nothing, label: "not-started", sub, actions: ["withdraw"] };
    if (!isMine) return { ...nothing, label: "not-started", sub };
    return { ...nothing, label: fileStates.cancelledHere.label, sub: words.t("file.cancelledByYou") };
  }
  const part = others.length > 0 ? groupView(state, [first, ...others], words) : views[state](first, words);
  return { ...nothing, label: fileStates[state].label, ...part };
}
