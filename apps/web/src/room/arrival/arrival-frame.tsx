import { memo, type ReactNode } from "react";
import { Wordmark } from "../../brand/logo.tsx";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { useDocumentTitle } from "../../ui/hooks/use-document-title.ts";
import { LanguageIcon } from "../../ui/icons.ts";
import { LanguageMenu } from "../../wiring/preferences/language-menu.tsx";
import { useRoomActions } from "../use-room-actions.ts";

interface ArrivalFrameProps {
  readonly title: string;
  /** What there is to know before anything is stored; without it, the foot of a wide window says where that is. */
  readonly note?: string;
  readonly children: ReactNode;
}

/** The full window before a room is joined: wordmark, language, and what Warren is. */
export function ArrivalFrame({ title, note, children }: ArrivalFrameProps) {
  const t = useT();
  const { showAbout } = useRoomActions();
  useDocumentTitle(t("title.page", { page: title }));
  return (
    <div className="picture-window relative flex min-h-full flex-col overflow-hidden bg-surface">
      <BurrowBackground />
      <Head />
      {/* At one height on every page, whatever is added below. */}
      <main className="relative flex flex-1 justify-center px-5 pt-6 pb-8 md:items-start md:pt-[9dvh]">
        {children}
      </main>
      <footer className="relative flex items-center justify-between gap-x-4 gap-y-1 px-5 pb-[max(12px,env(safe-area-inset-bottom))] text-meta text-text-2 max-md:flex-col max-md:text-center md:px-8 md:pb-5">
        <p className={cx("on-picture text-balance", note === undefined && "max-md:hidden")}>
          {note ?? t("arrival.localOnly")}
        </p>
        <p className="on-picture -mr-2 ml-auto flex shrink-0 max-md:mx-auto">
          <FooterLink onClick={() => void showAbout("how-it-works")}>{t("arrival.howItWorks")}</FooterLink>
          <FooterLink onClick={() => void showAbout("about")}>{t("arrival.about")}</FooterLink>
        </p>
      </footer>
    </div>
  );
}

/** Does not follow the room, as the page around it does. */
const Head = memo(function Head() {
  const t = useT();
  return (
    <header className="relative flex items-center justify-between px-4 py-6 md:px-8">
      <Wordmark className="on-picture" />
      <LanguageMenu
        trigger={(name) => (
          <Button
            variant="ghost"
            size="sm"
            className="on-picture"
            icon={LanguageIcon}
            aria-label={t("language.current", { language: name })}
          >
            {name}
          </Button>
        )}
      />
    </header>
  );
});

function FooterLink({ onClick, children }: { readonly onClick: () => void; readonly children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded-control px-2 py-1.5 text-text-2 transition-colors hover:text-text touch:min-h-11"
    >
      {children}
    </button>
  );
}

/**
 * The large pale burrow behind the arrival page; omitted on phones and upright tablets, which have no space
 * for it.
 */
function BurrowBackground() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1440 900"
      preserveAspectRatio="xMidYMax slice"
      className="off-picture pointer-events-none absolute inset-0 size-full text-burrow max-md:hidden portrait:hidden"
    >
      <g fill="none" stroke="currentColor" strokeWidth="44">
        <path d="M-400 470H90a70 70 0 0 1 70 70V690a70 70 0 0 0 70 70H1260a70 70 0 0 0 70-70V450a70 70 0 0 1 70-70H1900" />
        <path d="M261 619h50a59 59 0 0 1 59 59v82" />
        <path d="M1170 399v111a60 60 0 0 0 60 60h100" />
      </g>
      <g fill="currentColor">
        <circle cx="261" cy="619" r="48" />
        <circle cx="1170" cy="399" r="50" />
        <circle cx="1330" cy="570" r="58" />
      </g>
    </svg>
  );
}
