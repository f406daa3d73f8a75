import { peersOf } from "@warren/core";
import type { FileDescription } from "@warren/protocol";
import { useCallback, useMemo } from "react";
import { useLocation } from "wouter";
import { useFormat } from "../../i18n/format.ts";
import { joinSentences } from "../../i18n/spacing.ts";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { useNameOf } from "../../people/use-person.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useDevice } from "../../wiring/device-context.tsx";
import { confirm } from "../../wiring/dialogs/question.tsx";
import { paths } from "../../wiring/paths.ts";
import { toast } from "../../wiring/toast.tsx";
import { useRun } from "../../wiring/use-run.ts";
import { useWarren } from "../../wiring/warren-context.tsx";
import { useForward } from "../forward/forward-dialog.tsx";
import { usePreview } from "../preview/preview-dialog.tsx";
import { useSaveFiles } from "../save/use-save-files.ts";
import { movingOf } from "../transfers/transfer-batch.ts";
import { canResume, type FileRow, isSingle, isWhole, storedBytesOf } from "./file-row.ts";

/** The actions on files of this browser; failures are shown in a toast, so nothing here rejects. */
export interface FileActions {
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

/** The actions of the files page; the same object while the language is unchanged. */
export function useFileActions(): FileActions {
  const t = useT();
  const run = useRun();
  const { chat, files } = useWarren();
  const { soughtMessage } = useTab();
  const saveFiles = useSaveFiles();
  const preview = usePreview();
  const forward = useForward();
  const share = useShare();
  const resume = useResume();
  const question = useDeleteQuestion();
  const [, navigate] = useLocation();

  return useMemo(() => {
    const save = (rows: readonly FileRow[]): void => void saveFiles(rows.filter(isWhole).map(descriptionOf));
    return {
      open(row, shown) {
        if (isSingle(row)) preview(row.file.description, shown.filter(isSingle).map(descriptionOf));
        else if (isWhole(row)) save([row]);
        else if (canResume(row)) resume(row);
      },
      forward: (rows) =>
        void forward(
          rows
            .filter(isWhole)
            .map(descriptionOf)
            .map(({ fid, fileName }) => ({ type: "cache", fid, fileName })),
        ),
      save,
      share,
      resume,
      showMessage({ message }) {
        if (message === null) return;
        soughtMessage.setState(message.key);
        navigate(paths.chat.href(message.conversation));
      },
      setShared: ({ fid }, isShared) => void run(() => files.setShared(fid, isShared)),
      async remove(rows) {
        if (rows.length === 0 || !(await confirm(question(rows)))) return false;
        const isDone = await run(() => chat.deleteFiles(rows.map(({ fid }) => fid)));
        if (isDone) toast.success(t("files.deleted", { count: rows.length }));
        return isDone;
      },
    };
  }, [t, run, chat, files, preview, forward, saveFiles, share, resume, question, navigate, soughtMessage]);
}

/** Resumes a file; if its sender is away, it is queued and a toast reports that. */
function useResume(): (row: FileRow) => void {
  const t = useT();
  const run = useRun();
  const { chat, room } = useWarren();
  const nameOf = useNameOf();
  return useCallback(
    ({ offer, status }) => {
      if (offer === null) return;
      void run(() => (status === "missing" ? chat.askAgain(offer.key) : chat.resumeFile(offer.key)));
      if (peersOf(room.store.getState())[offer.client]?.ready === true) return;
      toast.info(t("file.away", { name: firstNameOf(nameOf(offer.client)) }));
    },
    [t, run, chat, room, nameOf],
  );
}

function useShare(): FileActions["share"] {
  const t = useT();
  const { files } = useWarren();
  const { shareFiles } = useDevice();
  return useMemo(() => {
    if (shareFiles === null) return null;
    const share = async (rows: readonly FileRow[]): Promise<void> => {
      const opened = await Promise.all(rows.map(({ fid }) => files.open(fid)));
      await shareFiles(opened.filter((file) => file !== null));
    };
    return (rows) => {
      share(rows).catch((thrown: unknown) => {
        const error = thrown instanceof Error ? thrown.message : String(thrown);
        toast.error(t("toast.shareFailed", { error }));
      });
    };
  }, [t, files, shareFiles]);
}

/** The confirmation before deleting files: number, size, and the irreversible consequences. */
function useDeleteQuestion() {
  const t = useT();
  const format = useFormat();
  const { transfers } = useWarren();
  return useCallback(
    (rows: readonly FileRow[]) => {
      const count = rows.length;
      const kept = storedBytesOf(rows);
      const isStored = rows.some(({ file }) => file.location === "storage");
      const incomplete = rows.filter(({ file }) => file.state === "incomplete").length;
      const fids = new Set(rows.map(({ fid }) => fid));
      const running = movingOf(transfers.store.getState()).filter(({ fid }) => fids.has(fid)).length;
      const sentences = [
        isStored
          ? t("files.deleteKept", { size: format.size(kept.complete + kept.incomplete) })
          : t("files.deletePageOnly"),
        ...(incomplete > 0 ? [t("files.deleteIncomplete", { count: incomplete })] : []),
        ...(running > 0 ? [t("files.deleteRunning", { count: running })] : []),
      ];
      return {
        title: t("files.deleteTitle", { count }),
        line: joinSentences(sentences),
        verb: t("files.delete", { count }),
      };
    },
    [t, format, transfers],
  );
}
