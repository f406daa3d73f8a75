import type { TransferSnapshot } from "@warren/core";
import { currentFormat } from "../../i18n/format.ts";
import { translate } from "../../i18n/i18n.ts";
import { announcer } from "../../wiring/announcer.ts";

/** A file and the person it comes from or goes to. */
interface AnnouncedFile {
  readonly name: string;
  readonly file: string;
}

/** A sentence for one event, and one for several of a kind. */
function oneOrMany<Item>(
  one: (item: Item) => string,
  many: (items: readonly Item[], count: number) => string,
): (items: readonly Item[]) => string {
  return (items) => {
    const [only, ...others] = items;
    return only !== undefined && others.length === 0 ? one(only) : many(items, items.length);
  };
}

const namesOf = (items: readonly { readonly name: string }[]): string =>
  currentFormat().list([...new Set(items.map(({ name }) => name))]);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, next) => total + next, 0);

/** Several texts of one person are read out while they are no longer than this together. */
const togetherLength = 300;

export const announceMessage = announcer.kind<{ readonly name: string; readonly text: string }>(
  (messages) => {
    const texts = messages.map(({ text }) => text).join(" ");
    const names = namesOf(messages);
    const isOfOne = messages.every(({ name }) => name === messages[0]?.name);
    return messages.length === 1 || (isOfOne && texts.length <= togetherLength)
      ? translate("people.fromName", { name: names, text: texts })
      : translate("people.manyFrom", { count: messages.length, names });
  },
);

export const announceEdited = announcer.kind<{ readonly name: string; readonly text: string }>(
  oneOrMany(
    ({ name, text }) => translate("people.edited", { name, text }),
    (edits, count) => translate("people.manyEdited", { count, names: namesOf(edits) }),
  ),
);

export const announceReaction = announcer.kind<{ readonly name: string; readonly emoji: string }>(
  oneOrMany(
    ({ name, emoji }) => translate("people.reacted", { name, emoji }),
    (reactions, count) => translate("people.manyReacted", { count, names: namesOf(reactions) }),
  ),
);

export const announceDeleted = announcer.kind<{ readonly name: string }>((deletions) =>
  translate("people.deleted", { count: deletions.length, names: namesOf(deletions) }),
);

export const announceOffer = announcer.kind<AnnouncedFile & { readonly sizeBytes: number }>(
  oneOrMany(
    ({ name, file, sizeBytes }) =>
      translate("file.announce.offered", { name, file, size: currentFormat().size(sizeBytes) }),
    (offers, count) =>
      translate("file.announce.offeredMany", {
        count,
        names: namesOf(offers),
        size: currentFormat().size(sum(offers.map(({ sizeBytes }) => sizeBytes))),
      }),
  ),
);

export const announceStart = announcer.kind<AnnouncedFile>(
  oneOrMany(
    ({ file }) => translate("file.announce.started", { file }),
    (_files, count) => translate("file.announce.startedMany", { count }),
  ),
);

const percentOf = (files: readonly Pick<TransferSnapshot, "transferredBytes" | "totalBytes">[]): string => {
  const fraction =
    sum(files.map(({ transferredBytes }) => transferredBytes)) /
    sum(files.map(({ totalBytes }) => totalBytes));
  // In quarters, as each file is told of.
  return currentFormat().percent(Math.floor(4 * fraction) / 4);
};

export const announceProgress = announcer.kind<TransferSnapshot>(
  oneOrMany(
    (transfer) =>
      translate("file.announce.progress", { file: transfer.fileName, percent: percentOf([transfer]) }),
    (transfers, count) => translate("file.announce.progressMany", { count, percent: percentOf(transfers) }),
  ),
);

const completeSentence = ({ file }: AnnouncedFile): string => translate("file.announce.complete", { file });

export const announceReceived = announcer.kind<AnnouncedFile>(
  oneOrMany(completeSentence, (files, count) =>
    translate("file.announce.receivedMany", { count, names: namesOf(files) }),
  ),
);

export const announceSent = announcer.kind<AnnouncedFile>(
  oneOrMany(completeSentence, (files, count) =>
    translate("file.announce.sentMany", { count, names: namesOf(files) }),
  ),
);

export const announceDeclined = announcer.kind<AnnouncedFile>(
  oneOrMany(
    ({ name, file }) => translate("file.announce.declined", { name, file }),
    (files, count) => translate("file.announce.declinedMany", { count, names: namesOf(files) }),
  ),
);

export const announceCancelled = announcer.kind<AnnouncedFile>(
  oneOrMany(
    ({ name, file }) => translate("file.announce.cancelled", { name, file }),
    (files, count) => translate("file.announce.cancelledMany", { count, names: namesOf(files) }),
  ),
);

export const announceFailure = announcer.kind<AnnouncedFile>(
  oneOrMany(
    ({ file }) => translate("file.announce.failed", { file }),
    (_files, count) => translate("file.announce.failedMany", { count }),
  ),
  "urgent",
);

export const announceNotSent = announcer.kind<string>(
  oneOrMany(
    (text) => translate("conversation.textNotSent", { text }),
    (_texts, count) => translate("conversation.manyNotSent", { count }),
  ),
  "urgent",
);

/** The most names that are read out; of more attachments, only their number is read. */
const namesTold = 3;

export const announceAttached = announcer.kind<string>((names) =>
  names.length <= namesTold
    ? translate("composer.attached", { names: currentFormat().list(names) })
    : translate("composer.attachedMany", { count: names.length }),
);

/** Tells how many messages wait. */
export const announceHeldUp = announcer.kind<number>((counts) =>
  translate("conversation.heldUp", { count: sum(counts) }),
);
