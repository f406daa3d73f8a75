import { Link, useLocation } from "wouter";
import { useT } from "../../i18n/use-t.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { Mark } from "../../ui/mark.tsx";
import { type NavigationEntry, navigation } from "./navigation.ts";
import { ProfilePopover } from "./profile-popover.tsx";
import { TransfersButton } from "./transfers-button.tsx";
import { useUnread } from "./use-unread.ts";

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
export function UnreadBadge({ className }: { readonly className: string }) {
  const t = useT();
  const unread = useUnread();
  return (
    unread > 0 && <Badge count={unread} label={t("nav.unread", { count: unread })} className={className} />
  );
}
