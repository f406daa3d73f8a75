import type { FileMessage } from "@warren/core";
import { contentSizeOf, toWarrenError } from "@warren/protocol";
import { memo } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import {
  CloseIcon,
  DeleteIcon,
  type Icon,
  KeepIcon,
  MoreIcon,
  OpensMenuIcon,
  PauseIcon,
  PlayIcon,
  RefreshIcon,
  SaveIcon,
} from "../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/overlays/menu.tsx";
import { useDevice } from "../../wiring/device-context.tsx";
import { toast } from "../../wiring/toast.tsx";
import { useRun } from "../../wiring/use-run.ts";
import { useOption, useWarren } from "../../wiring/warren-context.tsx";
import { useSaveFiles } from "../save/use-save-files.ts";
import { raisedLimit } from "../save/use-size-question.ts";
import { type Taking, useTakeOffers } from "../save/use-take-offers.ts";
import { SaveTreeMenu } from "../tree/save-tree-menu.tsx";
import { useTreeName } from "../tree/tree-name.ts";
import type { FileAction } from "./file-card-view.ts";

interface ActionStyle {
  readonly label:
    | `file.${"keepHere" | "saveAnyway" | "keepAnyway" | "raiseLimit" | "decline" | "withdraw" | "pause"}`
    | `file.${"cancel" | "resume" | "save" | "askAgain" | "sendAgain" | "tryAgain"}`
    | "fileWait.choose";
  /** Shown as an icon without text. */
  readonly glyph?: Icon;
  /** Shown before the text. */
  readonly icon?: Icon;
  /** Shown as an icon when another action comes first. */
  readonly secondGlyph?: Icon;
}

/** Actions whose words say what becomes of an accepted file. */
type Accepting = "accept" | "accept-anyway";

const acceptLabels: Readonly<Record<Taking, Readonly<Record<Accepting, ActionStyle["label"]>>>> = {
  save: { accept: "file.save", "accept-anyway": "file.saveAnyway" },
  keep: { accept: "file.keepHere", "accept-anyway": "file.keepAnyway" },
};

const actionStyles: Readonly<Record<Exclude<FileAction, "more" | Accepting>, ActionStyle>> = {
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

function useVerbs(message: FileMessage, taking: Taking): Verbs {
  const t = useT();
  const format = useFormat();
  const { chat, settings } = useWarren();
  const run = useRun();
  const saveFiles = useSaveFiles();
  const takeOffers = useTakeOffers();
  const { key } = message;
  const choose = useChooseAgain(message);
  const sendAgain = useSendAgain(message);
  const accept = () => void takeOffers([message], taking);
  const resume = () => void run(() => chat.resumeFile(key));
  const cancel = () => void run(() => chat.cancelFile(key));
  return {
    accept,
    "accept-anyway": accept,
    "raise-limit": () => {
      const limitBytes = raisedLimit(contentSizeOf(message.file));
      settings.set("maxFileSize", limitBytes);
      toast.success(t("file.limitRaised", { limit: format.size(limitBytes) }));
      accept();
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
  const taking = useOption("keepReceived") ? "keep" : "save";
  const verbs = useVerbs(message, taking);
  const fileName = useTreeName(message.file);
  const isOffer = actions.includes("decline");
  // A file just accepted waits for a moment too: a button that came and went would move its neighbours.
  const isWaiting = actions.includes("cancel");
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
    const style: ActionStyle = isAccepting(action)
      ? { label: acceptLabels[taking][action] }
      : actionStyles[action];
    const { label, icon, secondGlyph, glyph = i > 0 ? secondGlyph : undefined } = style;
    const name = t("common.actionOf", { action: t(label), name: fileName });
    if (glyph !== undefined) {
      return (
        <IconButton
          key={action}
          size="sm"
          icon={glyph}
          label={name}
          hint={t(label)}
          // Last, where it stays while others come and go.
          className={action === "cancel" ? "order-2" : undefined}
          onClick={verbs[action]}
        />
      );
    }
    const isPrimary = i === 0 && isOffer;
    const button = (
      <Button
        key={action}
        size="sm"
        variant={isPrimary ? "primary" : "secondary"}
        {...(icon && { icon })}
        aria-label={name}
        className={cx(
          isOffer && "max-md:grow",
          isPrimary && "rounded-r-none",
          action === "try-again" && isWaiting && "animate-appear-late",
        )}
        onClick={verbs[action]}
      >
        {t(label)}
      </Button>
    );
    if (!isPrimary) return button;
    return (
      <span key={action} className="flex max-md:grow">
        {button}
        <OtherTaking message={message} taking={taking === "save" ? "keep" : "save"} />
      </span>
    );
  });
}, isSame);

function isAccepting(action: Exclude<FileAction, "more">): action is Accepting {
  return action === "accept" || action === "accept-anyway";
}

interface OtherTakingProps {
  readonly message: FileMessage;
  readonly taking: Taking;
}

/** The menu beside the first button of an offer, with what that one does not do. */
function OtherTaking({ message, taking }: OtherTakingProps) {
  const t = useT();
  const takeOffers = useTakeOffers();
  const label = t("common.actionOf", { action: t("common.more"), name: useTreeName(message.file) });
  return (
    <Menu
      align="start"
      trigger={
        <Button
          size="sm"
          variant="primary"
          icon={OpensMenuIcon}
          aria-label={label}
          className="-ml-px rounded-l-none border-l-on-accent/35 px-1.5"
        />
      }
    >
      <MenuItem
        icon={taking === "save" ? SaveIcon : KeepIcon}
        onSelect={() => void takeOffers([message], taking)}
      >
        {t(acceptLabels[taking].accept)}
      </MenuItem>
    </Menu>
  );
}

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
