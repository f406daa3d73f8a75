import type { ReactNode } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { OwnAvatar } from "../../people/client-avatar.tsx";
import { useEditProfile } from "../../people/use-edit-profile.ts";
import { useJoinLink } from "../../room/link/use-join-link.ts";
import { useLinkActions } from "../../room/link/use-link-actions.ts";
import { useRoomActions } from "../../room/use-room-actions.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { CopyIcon, EditIcon, type Icon, InfoIcon, LanguageIcon, LeaveIcon, QrIcon } from "../../ui/icons.ts";
import { LeafSpinner } from "../../ui/spinner.tsx";
import { LanguageMenu } from "../../wiring/language-menu.tsx";
import { ThemeChoice } from "../../wiring/theme-choice.tsx";
import { useProfile, useRoom } from "../../wiring/warren-context.tsx";

/** My identity, the room, its link, and app-wide settings. `close` closes the surrounding panel. */
export function ProfilePanel({ close }: { readonly close: () => void }) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const profile = useProfile();
  const room = useRoom();
  const { copy } = useLinkActions();
  const editProfile = useEditProfile();
  const { join, leave, shareRoom, showAbout } = useRoomActions();
  const link = useJoinLink();
  const then = (action: () => Promise<void>) => () => {
    close();
    void action();
  };
  return (
    <>
      <div className="flex items-center gap-3 p-4 pb-3">
        <OwnAvatar size={44} />
        <div className="min-w-0">
          <p className="truncate text-heading-sm">{profile.name}</p>
          <p className="truncate text-compact text-text-2">
            {room.status === "disconnected"
              ? t("profile.roomNotJoined", { room: profile.roomId })
              : t("profile.room", { room: profile.roomId })}
          </p>
          <p className="truncate text-meta text-text-3">
            {t("profile.createdAt", { when: format.date(profile.createdAt, now) })}
          </p>
        </div>
      </div>
      <div className="flex gap-2 px-4 pb-3">
        <Button icon={CopyIcon} className="flex-1" onClick={() => void copy(link)}>
          {t("profile.copyLink")}
        </Button>
      </div>
      <div className="border-t border-line p-1">
        <Row icon={EditIcon} onClick={then(() => editProfile())}>
          {t("profile.edit")}
        </Row>
        <Row icon={QrIcon} onClick={then(shareRoom)}>
          {t("people.shareRoom")}
        </Row>
        <LanguageMenu
          trigger={(name) => (
            <Row icon={LanguageIcon}>
              {t("language.label")}
              <span className="ml-auto text-text-3">{name}</span>
            </Row>
          )}
        />
        <Row icon={InfoIcon} onClick={then(() => showAbout("about"))}>
          {t("about.title")}
        </Row>
      </div>
      <div className="flex items-center justify-between gap-3 border-t border-line px-4 py-3">
        <span className="text-text-2">{t("theme.label")}</span>
        <ThemeChoice />
      </div>
      <div className="border-t border-line p-1">
        {room.status === "disconnected" ? (
          <Row icon={LeaveIcon} onClick={then(join)}>
            {t("profile.join")}
          </Row>
        ) : (
          <Row icon={LeaveIcon} danger loading={room.status === "connecting"} onClick={then(leave)}>
            {t("profile.leave")}
          </Row>
        )}
      </div>
    </>
  );
}

interface RowProps extends Pick<ButtonProps, "loading" | "onClick"> {
  readonly icon: Icon;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

/** A line of the panel; a menu that it opens adds its own attributes. */
function Row({ danger = false, ...rest }: RowProps) {
  return (
    <Button
      variant={danger ? "danger-text" : "ghost"}
      loadingMark={<LeafSpinner size={16} />}
      className={danger ? "w-full justify-start" : "w-full justify-start text-text!"}
      {...rest}
    />
  );
}
