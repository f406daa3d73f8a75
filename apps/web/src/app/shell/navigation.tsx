import { memo } from "react";
import { Link, useLocation } from "wouter";
import { Logo } from "../../brand/logo.tsx";
import { useT } from "../../i18n/use-t.ts";
import { useUnread } from "../../people/attention.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { ChatIcon, FolderIcon, PhoneIcon, SettingsIcon } from "../../ui/icons.ts";
import { isHome, isOfConversation, paths } from "../../wiring/paths.ts";
import { ProfilePopover } from "./profile-popover.tsx";
import { TransfersButton, TransfersRing } from "./transfers-button.tsx";

/** The app's sections in order. */
const sections = [
  { path: paths.home.href, label: "nav.chat", icon: ChatIcon },
  { path: paths.call.href, label: "nav.call", icon: PhoneIcon },
  { path: paths.files.href, label: "nav.files", icon: FolderIcon },
  { path: paths.settings.href, label: "nav.settings", icon: SettingsIcon },
] as const;

interface NavigationProps {
  /** The target of the Chat entry. */
  readonly chatPath: string;
}

/** The side navigation of wide screens: sections above, my avatar below. */
export const Rail = memo(function Rail({ chatPath }: NavigationProps) {
  return (
    <header className="flex w-16 shrink-0 flex-col items-center border-r border-line bg-canvas pt-3.5 pb-4">
      <Logo />
      <Sections
        chatPath={chatPath}
        className="mt-4 flex flex-col gap-1"
        link="h-[50px] rounded-row transition-colors"
        current="bg-selected text-accent-text"
        other="text-text-2 hover:bg-hover hover:text-text"
        badge="-top-0.5 right-0.5"
      />
      <div className="mt-auto flex flex-col items-center gap-3">
        <TransfersButton />
        <ProfilePopover side="right" />
      </div>
    </header>
  );
});

/** The header of narrow screens: mark, sections, my avatar. */
export function TopBar({ chatPath }: NavigationProps) {
  return (
    <header className="flex h-14 shrink-0 items-center justify-between border-b border-line bg-canvas px-4">
      <TransfersRing>
        <Logo size={28} />
      </TransfersRing>
      <Sections
        chatPath={chatPath}
        className="flex h-full"
        link="max-[360px]:w-13 border-b-2 pt-0.5"
        current="border-accent text-accent-text"
        other="border-transparent text-text-2"
        badge="top-0.5 right-0"
      />
      <ProfilePopover side="bottom" />
    </header>
  );
}

interface SectionsProps extends NavigationProps {
  readonly className: string;
  /** Classes of every link, of the current one and of the others, and of the badge. */
  readonly link: string;
  readonly current: string;
  readonly other: string;
  readonly badge: string;
}

function Sections({ chatPath, className, link, current, other, badge }: SectionsProps) {
  const t = useT();
  const [pathname] = useLocation();
  return (
    <nav aria-label={t("nav.label")} className={className}>
      {sections.map(({ path, label, icon: Glyph }) => {
        const isChat = path === paths.home.href;
        const isCurrent = isChat
          ? isHome(pathname) || isOfConversation(pathname)
          : pathname === path || (path === paths.settings.path && pathname === paths.doctor.path);
        return (
          <Link
            key={path}
            to={isChat ? chatPath : path}
            aria-current={isCurrent ? "page" : undefined}
            className={cx(
              "relative flex w-14 flex-col items-center justify-center gap-1 text-micro",
              link,
              isCurrent ? current : other,
            )}
          >
            <Glyph size={20} className={isCurrent ? "stroke-2" : undefined} />
            {t(label)}
            {isChat && <UnreadBadge className={badge} />}
          </Link>
        );
      })}
    </nav>
  );
}

/** The count of unread messages on the chat entry; nothing at zero. */
function UnreadBadge({ className }: { readonly className: string }) {
  const t = useT();
  const unread = useUnread();
  return (
    unread > 0 && (
      <Badge
        count={unread}
        label={t("nav.unread", { count: unread })}
        className={cx("absolute", className)}
      />
    )
  );
}
