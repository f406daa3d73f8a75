import type { FileMessage } from "@warren/core";
import { contentSizeOf, toWarrenError } from "@warren/protocol";
import { memo } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { useBreakpoint } from "../../ui/hooks/use-media-query.ts";
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
  SettingsIcon,
} from "../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/overlays/menu.tsx";
import { usePlatform } from "../../wiring/platform-context.ts";
import { toast } from "../../wiring/toast.ts";
import { useOption, useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { useIsOneOfMany } from "../save/open-offers.ts";
import { saveStoredFiles } from "../save/save-stored-files.ts";
import { raisedLimit } from "../save/size-question.ts";
import { type AcceptMode, useAcceptOffers } from "../save/use-accept-offers.ts";
import { SaveTreeItems, SaveTreeMenu } from "../tree/save-tree-menu.tsx";
import { useTreeName } from "../tree/tree-name.ts";
import { useIsGiverAway } from "../use-is-giver-away.ts";
import type { FileAction } from "./file-card-view.ts";

interface ActionStyle {
  readonly label:
    | `file.${"keepHere" | "saveAnyway" | "keepAnyway" | "raiseLimit" | "decline" | "withdraw" | "pause" | "acceptAfterAll"}`
    | `file.${"cancel" | "resume" | "save" | "askAgain" | "sendAgain" | "tryAgain"}`
    | "fileWait.choose";
  /** Shown instead of the text where there is no space for words. */
  readonly glyph?: Icon;
  /** Shown so only when another action comes first. */
  readonly secondGlyph?: Icon;
}

/** Actions whose words say what becomes of an accepted file. */
type Accepting = "accept" | "accept-anyway";

const acceptLabels: Readonly<Record<AcceptMode, Readonly<Record<Accepting, ActionStyle["label"]>>>> = {
  save: { accept: "file.save", "accept-anyway": "file.saveAnyway" },
  keep: { accept: "file.keepHere", "accept-anyway": "file.keepAnyway" },
};

const actionStyles: Readonly<Record<Exclude<FileAction, "more" | "raise-limit" | Accepting>, ActionStyle>> = {
  "accept-after-all": { label: "file.acceptAfterAll" },
  decline: { label: "file.decline", glyph: CloseIcon },
  withdraw: { label: "file.withdraw", glyph: CloseIcon },
  pause: { label: "file.pause", glyph: PauseIcon },
  cancel: { label: "file.cancel", glyph: CloseIcon },
  resume: { label: "file.resume", glyph: PlayIcon },
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
  const { pickFiles } = usePlatform();
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
  return () => void withErrorToast(choose);
}

/** Offers my file again; an unavailable or changed one is picked again and sent as a new file. */
function useSendAgain({ key, conversation, file: { tree } }: FileMessage): () => void {
  const t = useT();
  const { chat } = useWarren();
  const { pickFiles } = usePlatform();
  const sendAgain = async () => {
    try {
      if (await chat.sendAgain(key)) return;
    } catch (thrown) {
      if (toWarrenError(thrown).code !== "source-changed") throw thrown;
    }
    if (tree) {
      toast.info(t("file.folderGone"));
      return;
    }
    const [file] = await pickFiles();
    if (file !== undefined) await chat.sendFile(conversation, file);
  };
  return () => void withErrorToast(sendAgain);
}

type ActionHandlers = Readonly<Record<Exclude<FileAction, "more">, () => void | Promise<void>>>;

function useActionHandlers(message: FileMessage, mode: AcceptMode): ActionHandlers {
  const t = useT();
  const format = useFormat();
  const { chat, files, settings } = useWarren();
  const platform = usePlatform();
  const acceptOffers = useAcceptOffers();
  const { key } = message;
  const choose = useChooseAgain(message);
  const sendAgain = useSendAgain(message);
  const accept = () => void acceptOffers([message], mode);
  const resume = () => void withErrorToast(() => chat.resumeFile(key));
  const cancel = () => void withErrorToast(() => chat.cancelFile(key));
  return {
    accept,
    "accept-anyway": accept,
    "accept-after-all": accept,
    "raise-limit": () => {
      const limitBytes = raisedLimit(contentSizeOf(message.file));
      settings.set("maxFileSize", limitBytes);
      toast.success(t("file.limitRaised", { limit: format.size(limitBytes) }));
      accept();
    },
    decline: () => void withErrorToast(() => chat.declineFile(key)),
    withdraw: cancel,
    cancel,
    pause: () => void withErrorToast(() => chat.pauseFile(key)),
    resume,
    choose,
    "ask-again": () => void withErrorToast(() => chat.askAgain(key)),
    "send-again": sendAgain,
    "try-again": resume,
    save: () => void saveStoredFiles(files, platform, [message.file]),
  };
}

interface FileActionsProps {
  readonly message: FileMessage;
  readonly actions: readonly FileAction[];
  /** Whether the user has decided already: the actions step back. */
  readonly isSettled?: boolean;
  /** Adds deleting the message to the menu of a finished file. */
  readonly onDelete: () => void;
}

/** The available actions of a file, the primary one first. Not re-rendered as the file moves. */
export const FileActions = memo(function FileActions(props: FileActionsProps) {
  const { message, actions, isSettled = false, onDelete } = props;
  const mode = useOption("keepReceived") ? "keep" : "save";
  const handlers = useActionHandlers(message, mode);
  // A narrow card has space for one button of an offer beside its name.
  const isNarrow = useBreakpoint() === "phone";
  return actions.map((action, index) => {
    // In the menu beside the first.
    if (action === "raise-limit" || (action === "decline" && isNarrow)) return null;
    if (action === "save" && message.file.tree) return <SaveTreeMenu key={action} file={message.file} />;
    if (action === "more")
      return (
        <MoreMenu
          key={action}
          message={message}
          isSaved={isSettled}
          onSave={handlers.save}
          onDelete={onDelete}
        />
      );
    if (isAccepting(action))
      return (
        <OfferButtons
          key={action}
          action={action}
          message={message}
          mode={mode}
          isSettled={isSettled}
          onAccept={handlers[action]}
          onRaiseLimit={actions.includes("raise-limit") ? handlers["raise-limit"] : null}
          onDecline={isNarrow ? handlers.decline : null}
        />
      );
    return (
      <ActionButton
        key={action}
        action={action}
        message={message}
        isFirst={index === 0}
        isSettled={isSettled}
        // A file just accepted waits for a moment too: a button that came and went would move its neighbours.
        appearsLate={action === "try-again" && actions.includes("cancel")}
        onClick={handlers[action]}
      />
    );
  });
}, isSame);

interface ActionButtonProps {
  readonly action: keyof typeof actionStyles;
  readonly message: FileMessage;
  readonly isFirst: boolean;
  readonly isSettled: boolean;
  readonly appearsLate: boolean;
  readonly onClick: () => void;
}

function ActionButton({ action, message, isFirst, isSettled, appearsLate, onClick }: ActionButtonProps) {
  const t = useT();
  const { label, glyph, secondGlyph }: ActionStyle = actionStyles[action];
  const name = t("common.actionOf", { action: t(label), name: useTreeName(message.file) });
  const icon = glyph ?? (isFirst ? undefined : secondGlyph);
  if (icon !== undefined)
    return (
      <IconButton
        size="sm"
        icon={icon}
        label={name}
        hint={t(label)}
        // Last, where it stays while others come and go.
        className={action === "cancel" ? "order-1" : undefined}
        onClick={onClick}
      />
    );
  return (
    <Button
      size="sm"
      variant={isSettled ? "ghost" : "secondary"}
      aria-label={name}
      className={appearsLate ? "animate-appear-late" : undefined}
      onClick={onClick}
    >
      {t(label)}
    </Button>
  );
}

interface OfferButtonsProps extends Pick<OfferMenuProps, "message" | "onRaiseLimit" | "onDecline"> {
  readonly action: Accepting;
  readonly mode: AcceptMode;
  readonly isSettled: boolean;
  readonly onAccept: () => void;
}

/** The first button of an offer, and the menu of its other ways. */
function OfferButtons({ action, message, mode, isSettled, onAccept, ...menu }: OfferButtonsProps) {
  const t = useT();
  const isOneOfMany = useIsOneOfMany(message);
  const isGiverAway = useIsGiverAway(message.conversation);
  const label = t(acceptLabels[mode][action]);
  const other = isSettled ? "ghost" : "secondary";
  // "Save all" is the first choice among several; one over the limit, or that comes later, is none.
  const variant = action === "accept" && !isOneOfMany && !isGiverAway ? "primary" : other;
  return (
    <span className="flex">
      <Button
        size="sm"
        variant={variant}
        aria-label={t("common.actionOf", { action: label, name: useTreeName(message.file) })}
        className="rounded-r-none"
        onClick={onAccept}
      >
        {label}
      </Button>
      <OfferMenu message={message} mode={mode === "save" ? "keep" : "save"} variant={variant} {...menu} />
    </span>
  );
}

function isAccepting(action: Exclude<FileAction, "more">): action is Accepting {
  return action === "accept" || action === "accept-anyway";
}

interface OfferMenuProps {
  readonly message: FileMessage;
  readonly mode: AcceptMode;
  readonly variant: "primary" | "secondary" | "ghost";
  /** Null for a file within the limit. */
  readonly onRaiseLimit: (() => void) | null;
  /** Null where it has a button. */
  readonly onDecline: (() => void) | null;
}

/** The menu beside the first button of an offer, with what that one does not do. */
function OfferMenu({ message, mode, variant, onRaiseLimit, onDecline }: OfferMenuProps) {
  const t = useT();
  const acceptOffers = useAcceptOffers();
  const label = t("common.actionOf", { action: t("common.more"), name: useTreeName(message.file) });
  return (
    <Menu
      align="start"
      trigger={
        <Button
          size="sm"
          variant={variant}
          icon={OpensMenuIcon}
          aria-label={label}
          className={cx(
            "-ml-px rounded-l-none px-1.5 touch:min-w-11",
            variant === "primary" && "border-l-on-accent/35",
          )}
        />
      }
    >
      <MenuItem
        icon={mode === "save" ? SaveIcon : KeepIcon}
        onSelect={() => void acceptOffers([message], mode)}
      >
        {t(acceptLabels[mode].accept)}
      </MenuItem>
      {onRaiseLimit !== null && (
        <MenuItem icon={SettingsIcon} onSelect={onRaiseLimit}>
          {t("file.raiseLimit")}
        </MenuItem>
      )}
      {onDecline !== null && (
        <MenuItem icon={CloseIcon} onSelect={onDecline}>
          {t("file.decline")}
        </MenuItem>
      )}
    </Menu>
  );
}

/** Every progress update creates a new view with equal actions. */
function isSame(before: FileActionsProps, now: FileActionsProps): boolean {
  return (
    before.message === now.message &&
    before.isSettled === now.isSettled &&
    before.onDelete === now.onDelete &&
    before.actions.length === now.actions.length &&
    before.actions.every((action, index) => action === now.actions[index])
  );
}

interface MoreMenuProps {
  readonly message: FileMessage;
  /** Whether a received file was saved. */
  readonly isSaved: boolean;
  readonly onSave: () => void;
  readonly onDelete: () => void;
}

/** What can still be done with a file that needs nothing more. */
function MoreMenu({ message: { file }, isSaved, onSave, onDelete }: MoreMenuProps) {
  const t = useT();
  const more = t("common.more");
  const label = t("common.actionOf", { action: more, name: useTreeName(file) });
  // The files of a tree that I sent are still where they were.
  const save = file.tree ? (
    isSaved && <SaveTreeItems file={file} />
  ) : (
    <MenuItem icon={SaveIcon} onSelect={onSave}>
      {t(isSaved ? "file.saveAgain" : "file.save")}
    </MenuItem>
  );
  return (
    <Menu trigger={<IconButton size="sm" icon={MoreIcon} label={label} hint={more} />}>
      {save}
      {save && <MenuSeparator />}
      <MenuItem icon={DeleteIcon} danger onSelect={onDelete}>
        {t("conversation.deleteMessage")}
      </MenuItem>
    </Menu>
  );
}
