import { type Servers, serverHosts } from "@warren/core";
import { type Ref, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { CheckLine } from "../../ui/fields/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { CopyIcon, ForwardIcon, HideIcon, KeyboardIcon, ShowIcon } from "../../ui/icons.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { useProfile } from "../../wiring/warren-context.ts";
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
  // The room in its own script. The whole link, to be copied, stays encoded.
  const readable = address.replace(/[^/]*$/, decodeURI);
  const isSecret = !/^$|^\.|^(stun|turn|by)=/.test(fragment);
  const mask = isSecret ? "#••••" : fragment === "" ? "" : "#…";
  return (
    <span className="flex min-w-0 flex-1">
      <span className="truncate">{readable}</span>
      <span className="shrink-0 text-text-3">{mask}</span>
    </span>
  );
}

interface RoomLinkProps {
  readonly link: string;
  /** On a page of its own. */
  readonly isLarge?: boolean;
  readonly className?: string;
}

/** The link to the room with its secrets masked, and the ways to share it. */
export function RoomLink({ link, isLarge = false, className }: RoomLinkProps) {
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
  const size = isLarge ? "lg" : "md";
  return (
    <div className={className}>
      <p className="mb-1.5 text-compact font-medium">{t("waiting.roomLink")}</p>
      <div
        className={cx(
          "flex items-center border border-control bg-surface touch:min-h-11",
          isLarge ? "min-h-11 rounded-row pr-1.5 pl-4 text-body-lg" : "min-h-9 rounded-control pr-1 pl-2.5",
        )}
      >
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
      <Button
        variant="primary"
        size={size}
        icon={CopyIcon}
        className="mt-3 w-full"
        onClick={() => void copyOrSelect()}
      >
        {t("waiting.copyLink")}
      </Button>
      <div className="mt-2 flex flex-wrap gap-2 *:flex-auto">
        {share !== null && (
          <Button size={size} icon={ForwardIcon} onClick={() => void share(link, roomId)}>
            {t("waiting.share")}
          </Button>
        )}
        <Button size={size} icon={KeyboardIcon} onClick={() => void openDialog(ShowCodeDialog, { link })}>
          {t("code.show")}
        </Button>
      </div>
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
