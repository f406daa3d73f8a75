import { Link, useLocation } from "wouter";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { Mark } from "../../ui/mark.tsx";
import { navigation } from "./navigation.ts";
import { ProfilePopover } from "./profile-popover.tsx";
import { UnreadBadge } from "./rail.tsx";
import { TransfersRing } from "./transfers-button.tsx";

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
