import { type OpenTree, openTree } from "@warren/core";
import { type FileDescription, safeFileName, WarrenError } from "@warren/protocol";
import type { TreeFile } from "@warren/protocol/tree";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { usePlatform } from "../../wiring/platform-context.ts";
import { toast } from "../../wiring/toast.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { saveFiles } from "../save/save-file.ts";
import { zipFileOf } from "../save/save-stored-files.ts";
import { saveToFolder } from "../save/save-to-folder.ts";
import { throttled } from "./throttled.ts";
import { useTreeName } from "./tree-name.ts";

/** The ways to save a complete tree. Failures are shown in a toast. */
interface SaveTree {
  asZip(): void;
  /** Null if the browser cannot write to folders. */
  readonly toFolder: (() => void) | null;
  /** One of its files. */
  file(entry: TreeFile): void;
}

const savedToastMs = 4_000;
/** A toast that changed with each of ten thousand files would be unreadable. */
const progressEveryMs = 500;

type Work = (tree: OpenTree, onProgress: (doneFiles: number) => void) => Promise<void>;

/** Saves a tree to the user's disk. */
export function useSaveTree(description: FileDescription): SaveTree {
  const t = useT();
  const format = useFormat();
  const { files } = useWarren();
  const platform = usePlatform();
  const { pickTargetFolder } = platform;
  const name = useTreeName(description);
  const { fid, tree } = description;
  const folder = tree?.kind === "folder" ? safeFileName(description.fileName) : null;
  const toastId = `saving ${fid}`;

  const openAll = async (): Promise<OpenTree> => {
    const stream = await files.open(fid);
    if (stream === null) throw new WarrenError("source-missing");
    return openTree(stream, description, files.readManifest);
  };

  const save = async (work: Work): Promise<void> => {
    const total = tree?.files ?? 0;
    const report = (done: number): void => {
      const progress = t("folders.savingProgress", {
        done: format.number(done),
        total: format.number(total),
      });
      toast.loading(t("folders.saving", { name }), { id: toastId, description: progress });
    };
    const onProgress = throttled(report, progressEveryMs);
    const isDone = await withErrorToast(
      async () => {
        onProgress(0);
        await work(await openAll(), onProgress);
      },
      t("folders.saveFailed", { name }),
    );
    onProgress.stop();
    if (!isDone) toast.dismiss(toastId);
  };

  return {
    asZip: () =>
      void save(async (opened, onProgress) => {
        const zip = await zipFileOf(opened, description, name, onProgress);
        await saveFiles([zip], platform, (_zip, savedAs) => files.markSaved(fid, savedAs));
        toast.dismiss(toastId);
      }),
    toFolder:
      pickTargetFolder &&
      (() =>
        void withErrorToast(async () => {
          const target = await pickTargetFolder();
          if (target === null) return;
          await save(async (opened, onProgress) => {
            const refused = await saveToFolder(opened, target, { folder, onProgress });
            await files.markSaved(fid);
            const options = { id: toastId, description: "", durationMs: savedToastMs };
            toast.success(t("folders.saved", { name }), options);
            if (refused > 0) toast.warning(t("folders.notAllowed", { count: refused }));
          });
        })),
    file: (entry) =>
      void withErrorToast(
        async () => saveFiles([(await openAll()).fileOf(entry)], platform),
        t("folders.saveFailed", { name: entry.path }),
      ),
  };
}
