import type { FileMessage } from "@warren/core";
import { contentSizeOf, toWarrenError } from "@warren/protocol";
import { memo } from "react";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { useDevice } from "../ui/device-context.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import {
  CloseIcon,
  DeleteIcon,
  type Icon,
  MoreIcon,
  PauseIcon,
  PlayIcon,
  RefreshIcon,
  SaveIcon,
} from "../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { toast } from "../ui/toast.tsx";
import { useRun } from "../ui/use-run.ts";
import { useWarren } from "../ui/warren-context.tsx";
import type { FileAction } from "./file-card-view.ts";
import { saveWhenHere, takeSave } from "./pending-saves.ts";
import { SaveTreeMenu } from "./tree/save-tree-menu.tsx";
import { useTreeName } from "./tree/tree-name.ts";
import { useSaveFiles } from "./use-save-files.ts";
import { raisedLimit } from "./use-size-question.tsx";

interface ActionLook {
  readonly label:
    | `file.${"accept" | "acceptAndSave" | "acceptAnyway" | "raiseLimit" | "decline" | "withdraw" | "pause"}`
    | `file.${"cancel" | "resume" | "save" | "askAgain" | "sendAgain" | "tryAgain"}`
    | "fileWait.choose";
  /** Shown as an icon without text. */
  readonly glyph?: Icon;
  /** Shown before the text. */
  readonly icon?: Icon;
  /** Shown as an icon when another action comes first. */
  readonly secondGlyph?: Icon;
}

const looks: Readonly<Record<Exclude<FileAction, "more">, ActionLook>> = {
  accept: { label: "file.accept" },
  "accept-and-save": { label: "file.acceptAndSave" },
  "accept-anyway": { label: "file.acceptAnyway" },
  "raise-limit": { label: "file.raiseLimit" },
  decline: { label: "file.decline" },
  withdraw: { label: "file.withdraw", glyph: CloseIcon },
  pause: { label: "file.pause", glyph: PauseIcon },
  cancel: { label: "file.cancel", glyph: CloseIcon },
  resume: { label: "file.resume", icon: PlayIcon },
  choose: { label: "fileWait.choose" },
  save: { label: "file.save" },
  "ask-again": { label: "file.askAgain" },
  "send-again": { label: "file.sendAgain" },
  "try-again": { label: "file.tryAgain", secondGlyph: RefreshIcon },
};

/** Reopens my file after a reload: by the stored handle, otherwise the user picks it. */
function useChooseAgain({ key, file: { fileName } }: FileMessage): () => void {
  const t = useT();
  const { chat } = useWarren();
  const { pickFiles } = useDevice();
  const run = useRun();
  const choose = async () => {
    if (await chat.resumeFile(key)) return;
    const [file] = await pickFiles();
    if (file === undefined) return;
    try {
      await chat.chooseFile(key, file);
    } catch (thrown) {
      if (toWarrenError(thrown).code !== "wrong-file") throw thrown;
      toast.error(t("fileWait.wrongFile", { file: fileName }), { description: t("fileWait.wrongFileLine") });
    }
  };
  return () => void run(choose);
}

/** Offers my file again; an unavailable one is picked again and sent as a new file. */
function useSendAgain({ key, conversation, file: { tree } }: FileMessage): () => void {
  const t = useT();
  const { chat } = useWarren();
  const { pickFiles } = useDevice();
  const run = useRun();
  const sendAgain = async () => {
    if (await chat.sendAgain(key)) return;
    if (tree) {
      toast.info(t("file.folderGone"));
      return;
    }
    const [file] = await pickFiles();
    if (file !== undefined) await chat.sendFile(conversation, file);
  };
  return () => void run(sendAgain);
}

type Verbs = Readonly<Record<Exclude<FileAction, "more">, () => void | Promise<void>>>;

function useVerbs(message: FileMessage): Verbs {
  const t = useT();
  const format = useFormat();
  const { chat, settings } = useWarren();
  const run = useRun();
  const saveFiles = useSaveFiles();
  const { tabStorage } = useDevice();
  const {
    key,
    file: { fid },
  } = message;
  const choose = useChooseAgain(message);
  const sendAgain = useSendAgain(message);
  const accept = () => run(() => chat.acceptFile(key));
  const resume = () => void run(() => chat.resumeFile(key));
  const cancel = () => void run(() => chat.cancelFile(key));
  return {
    accept: () => void accept(),
    "accept-and-save": async () => {
      // First, because a small file may be complete before it counts as accepted.
      saveWhenHere(tabStorage, fid);
      if (!(await accept())) takeSave(tabStorage, fid);
    },
    "accept-anyway": () => void accept(),
    "raise-limit": () => {
      const limitBytes = raisedLimit(contentSizeOf(message.file));
      settings.set("maxFileSize", limitBytes);
      toast.success(t("file.limitRaised", { limit: format.size(limitBytes) }));
      void accept();
    },
    decline: () => void run(() => chat.declineFile(key)),
    withdraw: cancel,
    cancel,
    pause: () => void run(() => chat.pauseFile(key)),
    resume,
    choose,
    "ask-again": () => void run(() => chat.askAgain(key)),
    "send-again": sendAgain,
    "try-again": resume,
    save: () => void saveFiles([message.file]),
  };
}

interface FileActionsProps {
  readonly message: FileMessage;
  readonly actions: readonly FileAction[];
  /** Adds deleting the message to the menu of a finished file. */
  readonly onDelete: () => void;
}

/** The available actions of a file, the primary one first. Not re-rendered as the file moves. */
export const FileActions = memo(function FileActions({ message, actions, onDelete }: FileActionsProps) {
  const t = useT();
  const verbs = useVerbs(message);
  const fileName = useTreeName(message.file);
  return actions.map((action, i) => {
    if (action === "save" && message.file.tree) return <SaveTreeMenu key={action} file={message.file} />;
    if (action === "more")
      return (
        <SentMenu
          key={action}
          fileName={fileName}
          onSave={message.file.tree ? null : verbs.save}
          onDelete={onDelete}
        />
      );
    const { label, icon, secondGlyph, glyph = i > 0 ? secondGlyph : undefined } = looks[action];
    const name = `${t(label)}: ${fileName}`;
    if (glyph !== undefined) {
      return (
        <IconButton
          key={action}
          size="sm"
          icon={glyph}
          label={name}
          hint={t(label)}
          onClick={verbs[action]}
        />
      );
    }
    return (
      <Button
        key={action}
        size="sm"
        variant={i === 0 && actions.includes("decline") ? "primary" : "secondary"}
        {...(icon && { icon })}
        aria-label={name}
        className={actions.includes("decline") ? "max-md:grow" : undefined}
        onClick={verbs[action]}
      >
        {t(label)}
      </Button>
    );
  });
}, isSame);

/** Every progress update creates a new view with equal actions. */
function isSame(before: FileActionsProps, now: FileActionsProps): boolean {
  return (
    before.message === now.message &&
    before.onDelete === now.onDelete &&
    before.actions.length === now.actions.length &&
    before.actions.every((action, index) => action === now.actions[index])
  );
}

interface SentMenuProps {
  readonly fileName: string;
  /** Null for a tree: its files are still at their original location. */
  readonly onSave: (() => void) | null;
  readonly onDelete: () => void;
}

function SentMenu({ fileName, onSave, onDelete }: SentMenuProps) {
  const t = useT();
  const more = t("common.more");
  return (
    <Menu trigger={<IconButton size="sm" icon={MoreIcon} label={`${more}: ${fileName}`} hint={more} />}>
      {onSave !== null && (
        <>
          <MenuItem icon={SaveIcon} onSelect={onSave}>
            {t("file.save")}
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={DeleteIcon} danger onSelect={onDelete}>
        {t("conversation.deleteMessage")}
      </MenuItem>
    </Menu>
  );
}
