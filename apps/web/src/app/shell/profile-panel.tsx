import type { ReactNode } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { OwnAvatar } from "../../people/person-avatar.tsx";
import { useEditProfile } from "../../people/use-edit-profile.ts";
import { useJoinLink } from "../../room/link/use-join-link.ts";
import { useLinkActions } from "../../room/link/use-link-actions.ts";
import { useRoomActions } from "../../room/use-room-actions.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { useNow } from "../../ui/hooks/use-now.ts";
import { CopyIcon, EditIcon, type Icon, InfoIcon, LanguageIcon } from "../../ui/icons.ts";
import { LanguageMenu } from "../../wiring/preferences/language-menu.tsx";
import { ThemeChoice } from "../../wiring/preferences/theme-choice.tsx";
import { useProfile, useRoomStatus } from "../../wiring/warren-context.ts";

/** My identity and app-wide settings; at its foot, apart from them, which room I am in. `close` closes the surrounding panel. */
export function ProfilePanel({ close }: { readonly close: () => void }) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const profile = useProfile();
  const editProfile = useEditProfile();
  const { showAbout } = useRoomActions();
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
          <p className="truncate text-meta text-text-2">
            {t("profile.createdAt", { when: format.date(profile.createdAt, now) })}
          </p>
        </div>
      </div>
      <div className="border-t border-line p-1">
        <Row icon={EditIcon} onClick={then(() => editProfile())}>
          {t("profile.edit")}
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
      <RoomFooter />
    </>
  );
}

/** Which room it is, and its link; everything else of it stands with the room. */
function RoomFooter() {
  const t = useT();
  const { roomId } = useProfile();
  const status = useRoomStatus();
  const link = useJoinLink();
  const { copy } = useLinkActions();
  return (
    <div className="flex items-center gap-3 border-t border-line px-4 py-3">
      <p className="min-w-0 flex-1">
        <span className="block text-meta text-text-2">
          {t(status === "disconnected" ? "profile.roomOutside" : "profile.room")}
        </span>
        <span className="block truncate font-medium">{roomId}</span>
      </p>
      <Button size="sm" icon={CopyIcon} onClick={() => void copy(link)}>
        {t("waiting.copyLink")}
      </Button>
    </div>
  );
}

interface RowProps extends Pick<ButtonProps, "onClick"> {
  readonly icon: Icon;
  readonly children: ReactNode;
}

/** A line of the panel; a menu that it opens adds its own attributes. */
function Row(props: RowProps) {
  return <Button variant="row" {...props} />;
}
