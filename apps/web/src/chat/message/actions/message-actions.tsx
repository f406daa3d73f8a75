import type { ChatMessage } from "@warren/core";
import { useLayoutEffect, useRef, useState } from "react";
import { useT } from "../../../i18n/use-t.ts";
import { cx } from "../../../ui/cx.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { MoreIcon, ReactIcon } from "../../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/overlays/menu.tsx";
import { Popover } from "../../../ui/overlays/popover.tsx";
import { canReply } from "../message-rules.ts";
import { QuickReactions } from "../reactions.tsx";
import { type LogActions, useMessageActions } from "./use-message-actions.ts";

/** Distance between the strip and the bubble. */
const marginPx = 4;

interface MessageActionsProps extends LogActions {
  readonly message: ChatMessage;
  readonly isMine: boolean;
  /** Called when something of the strip opens or closes, which the strip must outlast. */
  readonly onOpenChange: (isOpen: boolean) => void;
}

/**
 * The strip beside a hovered or focused message: React, Reply, and a menu of all else. Where there is no space beside it, the strip
 * hangs from the lower edge at the far side: there it covers the least.
 */
export function MessageActions({ message, isMine, onOpenChange, ...logActions }: MessageActionsProps) {
  const t = useT();
  const { reply, others, remove } = useMessageActions(message, logActions);
  const strip = useRef<HTMLDivElement>(null);
  const [isBeside, setBeside] = useState(true);
  useLayoutEffect(() => {
    const measure = (): void => {
      const bubble = strip.current?.parentElement;
      const row = bubble?.parentElement;
      if (!strip.current || !bubble || !row) return;
      setBeside(strip.current.offsetWidth + marginPx <= row.offsetWidth - bubble.offsetWidth);
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const button = { size: "sm", iconSize: 16, tooltipSide: "top" } as const;
  const react = canReply(message) && (
    <Popover
      label={t("conversation.reactions")}
      align="center"
      side="top"
      width="content"
      padding="sm"
      onOpenChange={onOpenChange}
      trigger={<IconButton icon={ReactIcon} label={t("conversation.react")} {...button} />}
    >
      {(close) => (
        <div className="flex">
          <QuickReactions
            message={message}
            onReact={(run) => {
              close();
              run();
            }}
          />
        </div>
      )}
    </Popover>
  );
  const answer = reply && (
    <IconButton
      icon={reply.icon}
      label={reply.label}
      shortcut={reply.shortcut}
      {...button}
      onClick={reply.run}
    />
  );
  const more = (
    <Menu
      align={isMine ? "end" : "start"}
      onOpenChange={onOpenChange}
      trigger={<IconButton icon={MoreIcon} label={t("conversation.moreActions")} {...button} />}
    >
      {others.map(({ icon, label, shortcut, run }) => (
        <MenuItem key={label} icon={icon} shortcut={shortcut} onSelect={run}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem danger icon={remove.icon} onSelect={remove.run}>
        {remove.label}
      </MenuItem>
    </Menu>
  );
  return (
    <div
      ref={strip}
      role="toolbar"
      aria-label={t("conversation.messageActions")}
      className={cx(
        "absolute z-2 flex w-max rounded-control",
        isBeside ? "top-1/2 -translate-y-1/2" : "top-full -mt-2 bg-raised shadow-menu",
        isBeside ? (isMine ? "right-full mr-1" : "left-full ml-1") : isMine ? "left-0" : "right-0",
      )}
    >
      {react}
      {answer}
      {more}
    </div>
  );
}
