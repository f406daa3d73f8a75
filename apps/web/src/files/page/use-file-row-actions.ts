import { peersOf, type Warren } from "@warren/core";
import type { FileDescription } from "@warren/protocol";
import { useMemo } from "react";
import { useLocation } from "wouter";
import { currentFormat } from "../../i18n/format.ts";
import { translate } from "../../i18n/i18n.ts";
import { joinSentences } from "../../i18n/spacing.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { currentNameOf } from "../../people/use-person.ts";
import { messageOf } from "../../platform/message-of.ts";
import { useTab } from "../../tab/tab-context.ts";
import { confirm } from "../../wiring/dialogs/question.tsx";
import { paths } from "../../wiring/paths.ts";
import { type Platform, usePlatform } from "../../wiring/platform-context.ts";
import { toast } from "../../wiring/toast.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { forward } from "../forward/forward.ts";
import { preview } from "../preview/preview-dialog.tsx";
import { saveStoredFiles } from "../save/save-stored-files.ts";
import { movingOf } from "../transfers/transfer-batch.ts";
import { canResume, type FileRow, isComplete, isSingle, storedBytesOf } from "./file-row.ts";

/** The actions on files of this browser; failures are shown in a toast, so nothing here rejects. */
export interface FileRowActions {
  /**
   * The primary action: previews a complete file, resumes an incomplete one. `shown` is the list to page
   * through.
   */
  open(row: FileRow, shown: readonly FileRow[]): void;
  /** Forwards complete files. */
  forward(rows: readonly FileRow[]): void;
  save(rows: readonly FileRow[]): void;
  /** Hands files to the system's share sheet; null if there is none. */
  readonly share: ((rows: readonly FileRow[]) => void) | null;
  resume(row: FileRow): void;
  /** Opens the conversation at the last message about a file. */
  showMessage(row: FileRow): void;
  /** Lets everyone in the room list and download complete files, or stops that. */
  setShared(row: FileRow, isShared: boolean): void;
  /**
   * Deletes after a confirmation.
   * @returns whether files were deleted.
   */
  remove(rows: readonly FileRow[]): Promise<boolean>;
}

function descriptionOf({ file }: FileRow): FileDescription {
  return file.description;
}

/** The actions of the files page; always the same object. */
export function useFileRowActions(): FileRowActions {
  const warren = useWarren();
  const platform = usePlatform();
  const { openLog } = useTab();
  const [, navigate] = useLocation();
  return useMemo(() => {
    const { chat, files } = warren;
    const { shareFiles } = platform;
    const save = (rows: readonly FileRow[]): void =>
      void saveStoredFiles(files, platform, rows.filter(isComplete).map(descriptionOf));
    const resume = (row: FileRow): void => resumeFile(warren, row);
    return {
      open(row, shown) {
        if (isSingle(row))
          void preview(warren, platform, row.file.description, shown.filter(isSingle).map(descriptionOf));
        else if (isComplete(row)) save([row]);
        else if (canResume(row)) resume(row);
      },
      forward: (rows) =>
        void forward(
          warren,
          rows.filter(isComplete).map(({ fid, file, offer }) => ({
            type: "cache",
            fid,
            fileName: file.description.fileName,
            ...(offer && { author: offer.client }),
          })),
        ),
      save,
      share: shareFiles && ((rows) => void share(files, shareFiles, rows)),
      resume,
      showMessage({ message }) {
        if (message === null) return;
        openLog.scrollTo(message.key);
        navigate(paths.chat.href(message.conversation));
      },
      setShared: ({ fid }, isShared) => void withErrorToast(() => files.setShared(fid, isShared)),
      async remove(rows) {
        if (rows.length === 0 || !(await confirm(deleteQuestion(warren, rows)))) return false;
        const isDone = await withErrorToast(() => chat.deleteFiles(rows.map(({ fid }) => fid)));
        if (isDone) toast.success(translate("files.deleted", { count: rows.length }));
        return isDone;
      },
    };
  }, [warren, platform, openLog, navigate]);
}

/** Resumes a file; if its sender is away, it is queued and a toast reports that. */
function resumeFile(warren: Warren, { offer, status }: FileRow): void {
  const { chat, room } = warren;
  if (offer === null) return;
  void withErrorToast(() => (status === "missing" ? chat.askAgain(offer.key) : chat.resumeFile(offer.key)));
  if (peersOf(room.store.getState())[offer.client]?.ready === true) return;
  toast.info(translate("file.away", { name: firstNameOf(currentNameOf(warren, offer.client)) }));
}

async function share(
  files: Warren["files"],
  shareFiles: NonNullable<Platform["shareFiles"]>,
  rows: readonly FileRow[],
): Promise<void> {
  try {
    const opened = await Promise.all(rows.map(({ fid }) => files.open(fid)));
    await shareFiles(opened.filter((file) => file !== null));
  } catch (thrown) {
    const error = messageOf(thrown);
    toast.error(translate("toast.shareFailed", { error }));
  }
}

/** The confirmation before deleting files: number, size, and the irreversible consequences. */
function deleteQuestion({ transfers }: Warren, rows: readonly FileRow[]) {
  const count = rows.length;
  const stored = storedBytesOf(rows);
  const isStored = rows.some(({ file }) => file.location === "storage");
  const incomplete = rows.filter(({ file }) => file.state === "incomplete").length;
  const fids = new Set(rows.map(({ fid }) => fid));
  const running = movingOf(transfers.store.getState()).filter(({ fid }) => fids.has(fid)).length;
  const sentences = [
    isStored
      ? translate("files.deleteKept", { size: currentFormat().size(stored.complete + stored.incomplete) })
      : translate("files.deletePageOnly"),
    ...(incomplete > 0 ? [translate("files.deleteIncomplete", { count: incomplete })] : []),
    ...(running > 0 ? [translate("files.deleteRunning", { count: running })] : []),
  ];
  return {
    title: translate("files.deleteTitle", { count }),
    line: joinSentences(sentences),
    verb: translate("files.delete", { count }),
  };
}
