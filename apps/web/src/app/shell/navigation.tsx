import { Link, useLocation } from "wouter";
import { useT } from "../../i18n/use-t.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { ChatIcon, FolderIcon, type Icon, PhoneIcon, SettingsIcon } from "../../ui/icons.ts";
import { Mark } from "../../ui/mark.tsx";
import { paths } from "../../ui/paths.ts";
import { useStore, useWarren } from "../../ui/warren-context.tsx";
import { ProfilePopover } from "./profile-popover.tsx";
import { TransfersButton, TransfersRing } from "./transfers-button.tsx";

/** An entry of the rail and the top bar. */
interface NavigationEntry {
  readonly path: string;
  /** The key of its label under `nav`. */
  readonly word: "chat" | "call" | "files" | "settings";
  readonly icon: Icon;
  /** Whether an address belongs to this entry. */
  readonly isCurrent: (pathname: string) => boolean;
}

/** The app's sections in order. A section without a page is not listed. */
const navigation: readonly NavigationEntry[] = [
  {
    path: paths.home,
    word: "chat",
    icon: ChatIcon,
    isCurrent: (pathname) => pathname === paths.home || pathname.startsWith("/client"),
  },
  {
    path: paths.video,
    word: "call",
    icon: PhoneIcon,
    isCurrent: (pathname) => pathname === paths.video,
  },
  {
    path: paths.files,
    word: "files",
    icon: FolderIcon,
    isCurrent: (pathname) => pathname === paths.files,
  },
  {
    path: paths.settings,
    word: "settings",
    icon: SettingsIcon,
    isCurrent: (pathname) => pathname === paths.settings,
  },
];

/** The number of unseen received messages over all conversations. */
export function useUnread(): number {
  return useStore(useWarren().chat.store, ({ conversations }) =>
    Object.values(conversations).reduce((sum, conversation) => sum + (conversation?.unread ?? 0), 0),
  );
}

interface RailProps {
  /** The target of the Chat entry. */
  readonly chatPath: string;
}

/** The side navigation of wide screens: sections above, my avatar below. */
export function Rail({ chatPath }: RailProps) {
  const t = useT();
  return (
    <header className="flex w-16 shrink-0 flex-col items-center border-r border-line bg-canvas pt-3.5 pb-4">
      <Mark />
      <nav aria-label={t("nav.label")} className="mt-4 flex flex-col gap-1">
        {navigation.map((entry) => (
          <RailItem key={entry.path} entry={entry} to={entry.word === "chat" ? chatPath : entry.path} />
        ))}
      </nav>
      <div className="mt-auto flex flex-col items-center gap-3">
        <TransfersButton />
        <ProfilePopover side="right" />
      </div>
    </header>
  );
}

function RailItem({ entry, to }: { readonly entry: NavigationEntry; readonly to: string }) {
  const t = useT();
  const { word, icon: Glyph } = entry;
  const current = entry.isCurrent(useLocation()[0]);
  return (
    <Link
      to={to}
      aria-current={current ? "page" : undefined}
      className={cx(
        "relative flex h-[50px] w-14 flex-col items-center justify-center gap-1 rounded-row text-micro transition-colors",
        current ? "bg-selected text-accent-text" : "text-text-2 hover:bg-hover hover:text-text",
      )}
    >
      <Glyph size={20} className={current ? "stroke-2" : undefined} />
      {t(`nav.${word}`)}
      {word === "chat" && <UnreadBadge className="absolute -top-0.5 right-0.5" />}
    </Link>
  );
}

/** The count of unread messages on the chat entry; nothing at zero. */
function UnreadBadge({ className }: { readonly className: string }) {
  const t = useT();
  const unread = useUnread();
  return (
    unread > 0 && <Badge count={unread} label={t("nav.unread", { count: unread })} className={className} />
  );
}

interface TopBarProps {
  /** The target of the Chat entry. */
  readonly chatPath: string;
}

/** The header of narrow screens: mark, sections, my avatar. */
export function TopBar({ chatPath }: TopBarProps) {
  const t = useT();
  const [pathname] = useLocation();
  return (
    <header className="flex h-14 shrink-0 items-center justify-between border-b border-line bg-canvas px-4 pt-[env(safe-area-inset-top)]">
      <TransfersRing>
        <Mark size={28} />
      </TransfersRing>
      <nav aria-label={t("nav.label")} className="flex h-full">
        {navigation.map(({ path, word, icon: Glyph, isCurrent }) => {
          const current = isCurrent(pathname);
          return (
            <Link
              key={path}
              to={word === "chat" ? chatPath : path}
              aria-current={current ? "page" : undefined}
              className={cx(
                "relative flex w-14 flex-col max-[360px]:w-13 items-center justify-center gap-1 border-b-2 pt-0.5 text-micro",
                current ? "border-accent text-accent-text" : "border-transparent text-text-2",
              )}
            >
              <Glyph size={20} className={current ? "stroke-2" : undefined} />
              {t(`nav.${word}`)}
              {word === "chat" && <UnreadBadge className="absolute top-0.5 right-0" />}
            </Link>
          );
        })}
      </nav>
      <ProfilePopover side="bottom" />
    </header>
  );
}
