import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { ChatNews } from "../../chat/chat-news.tsx";
import { DoorNews } from "../../chat/door-news.tsx";
import { useT } from "../../i18n/use-t.ts";
import { ShareTrayBar } from "../../share/share-tray-bar.tsx";
import { cx } from "../../ui/cx.ts";
import { useBreakpoint } from "../../ui/use-media-query.ts";
import { useNoStrayDrops } from "../../ui/use-no-stray-drops.ts";
import { paths } from "../paths.ts";
import { Banners } from "./banners.tsx";
import { CallPart } from "./call-part.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { PageTitle } from "./page-title.tsx";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";
import { useChatPath } from "./use-chat-path.ts";
import { useLeaveGuard } from "./use-leave-guard.ts";

/** The frame of every page: navigation at the side (on a phone on top) and banners above the page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useT();
  const phone = useBreakpoint() === "phone";
  const [pathname] = useLocation();
  const [isStopped, setStopped] = useState(false);
  // A conversation has its own header instead of the top bar; a crashed one has none.
  const bringsHeader = pathname.startsWith("/client/") && !isStopped;
  const onStage = pathname === paths.video;
  const chatPath = useChatPath();
  useNoStrayDrops();
  useLeaveGuard();
  return (
    <div className={cx("flex h-full max-md:flex-col", onStage && "stage bg-canvas text-text")}>
      <a
        href="#content"
        className="absolute top-2 left-2 z-tooltip rounded-control bg-raised px-3 py-2 shadow-menu not-focus:sr-only"
      >
        {t("nav.skipToContent")}
      </a>
      <PageTitle />
      <ChatNews />
      <DoorNews />
      {phone ? !bringsHeader && <TopBar chatPath={chatPath} /> : <Rail chatPath={chatPath} />}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Banners />
        <CallPart />
        <ShareTrayBar path={paths.share} />
        <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 outline-none">
          <ErrorBoundary place={pathname} onStopped={setStopped}>
            {children}
          </ErrorBoundary>
        </main>
      </div>
    </div>
  );
}
