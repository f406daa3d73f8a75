import { type Servers, serverHosts } from "@warren/core";
import { type Ref, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { CheckLine } from "../../ui/fields/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { CopyIcon, ForwardIcon, HideIcon, KeyboardIcon, ShowIcon } from "../../ui/icons.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.tsx";
import { useProfile } from "../../wiring/warren-context.tsx";
import { ShowCodeDialog } from "./show-code-dialog.tsx";
import { useShareableTurns, useSharedTurns } from "./use-join-link.ts";
import { useLinkActions } from "./use-link-actions.ts";

interface LinkTextProps {
  readonly link: string;
  readonly whole: boolean;
  readonly text: Ref<HTMLSpanElement>;
}

/** A link with its secrets masked, or in full if the user reveals it. */
function LinkText({ link, whole, text }: LinkTextProps) {
  if (whole)
    return (
      <span ref={text} className="min-w-0 flex-1 select-all break-all py-2">
        {link}
      </span>
    );
  const [address = "", fragment = ""] = link.replace(/^https?:\/\//, "").split("#");
  const isSecret = !/^$|^\.|^(stun|turn|by)=/.test(fragment);
  const mask = isSecret ? "#••••" : fragment === "" ? "" : "#…";
  return (
    <span className="flex min-w-0 flex-1">
      <span className="truncate">{address}</span>
      <span className="shrink-0 text-text-3">{mask}</span>
    </span>
  );
}

interface RoomLinkProps {
  readonly link: string;
  readonly className?: string;
}

/** The link to the room with its secrets masked, and the ways to share it. */
export function RoomLink({ link, className }: RoomLinkProps) {
  const t = useT();
  const { roomId } = useProfile();
  const { copy, share } = useLinkActions();
  const [whole, setWhole] = useState(false);
  const text = useRef<HTMLSpanElement>(null);
  const copyOrSelect = async (): Promise<void> => {
    if (await copy(link)) return;
    // It stands there selected, to be copied by hand.
    flushSync(() => setWhole(true));
    if (text.current !== null) getSelection()?.selectAllChildren(text.current);
  };
  const isHidden = link.includes("#");
  return (
    <div className={className}>
      <p className="mb-1.5 text-compact font-medium">{t("waiting.roomLink")}</p>
      <div className="flex min-h-9 items-center rounded-control border border-control bg-surface pr-1 pl-2.5 touch:min-h-11">
        <LinkText link={link} whole={whole} text={text} />
        {isHidden && (
          <IconButton
            size="sm"
            icon={whole ? HideIcon : ShowIcon}
            label={whole ? t("waiting.hideLink") : t("waiting.showLink")}
            onClick={() => setWhole(!whole)}
          />
        )}
      </div>
      <div className="mt-3 flex gap-2">
        <Button variant="primary" icon={CopyIcon} className="flex-1" onClick={() => void copyOrSelect()}>
          {t("waiting.copyLink")}
        </Button>
        {share !== null && (
          <Button icon={ForwardIcon} onClick={() => void share(link, roomId)}>
            {t("waiting.share")}
          </Button>
        )}
      </div>
      <Button
        variant="ghost"
        icon={KeyboardIcon}
        className="mt-2 w-full"
        onClick={() => void openDialog(ShowCodeDialog, { link })}
      >
        {t("code.show")}
      </Button>
    </div>
  );
}

interface ShareTurnChoiceProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/**
 * Asks whether the link includes the permanent credentials of my TURN servers, and names the servers that the
 * link had to omit; renders nothing if there are neither.
 */
export function ShareTurnChoice({ checked, onChange }: ShareTurnChoiceProps) {
  const t = useT();
  const turns = useShareableTurns();
  const { leftOut } = useSharedTurns();
  const format = useFormat();
  const hostsOf = (those: Servers["turns"]) => format.items(serverHosts({ stuns: [], turns: those }));
  if (turns.length === 0 && leftOut.length === 0) return null;
  return (
    <div className="mt-3">
      {turns.length > 0 && (
        <CheckLine checked={checked} onChange={onChange}>
          {t("share.withTurn", { host: hostsOf(turns) })}
        </CheckLine>
      )}
      {leftOut.length > 0 && (
        <p role="status" className="text-meta text-text-3">
          {t("share.relayLeftOut", { host: hostsOf(leftOut) })}
        </p>
      )}
    </div>
  );
}
