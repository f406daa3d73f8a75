import { type ReactNode, Suspense, useLayoutEffect, useState } from "react";
import { useLocation } from "wouter";
import { useT } from "../../i18n/use-t.ts";
import { useChatPath } from "../../room/use-chat-path.ts";
import { cx } from "../../ui/cx.ts";
import { FloatingBanners } from "../../ui/floating-banners.tsx";
import { useBreakpoint, useIsLow } from "../../ui/hooks/use-media-query.ts";
import { useWindowEvent } from "../../ui/hooks/use-window-event.ts";
import { isHome, isOfConversation, paths } from "../../wiring/paths.ts";
import { useRoomStatus } from "../../wiring/warren-context.ts";
import { Palette } from "../palette/palette.tsx";
import { AppBackground } from "./app-background.tsx";
import { Banners } from "./banners.tsx";
import { Rail, TopBar } from "./navigation.tsx";
import { PageBoundary } from "./page-boundary.tsx";
import { PageTitle } from "./page-title.ts";
import { useVisibleHeight } from "./use-visible-height.ts";

/** The frame of every page: navigation at the side (on a phone on top) and banners above the page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useT();
  const isPhone = useBreakpoint() === "phone";
  const isSmall = useIsLow() || isPhone;
  const [pathname] = useLocation();
  const [isStopped, setStopped] = useState(false);
  // A conversation has its own header instead of the top bar; a crashed one has none.
  const bringsHeader = isOfConversation(pathname) && !isStopped;
  const onStage = pathname === paths.call.path;
  // Where there is little space, a call takes all of it, and its header leads back.
  const isFullScreen = onStage && isSmall && !isStopped;
  const isInRoom = useRoomStatus() === "connected";
  // Where people talk, nothing may move under their hands; elsewhere nothing may be covered.
  const isStill = onStage || isOfConversation(pathname) || (isHome(pathname) && isInRoom);
  const chatPath = useChatPath();
  useNoStrayDrops();
  useVisibleHeight();
  // On the root, so that menus and dialogs, which are not inside the page, are as dark as the stage.
  useLayoutEffect(() => {
    document.documentElement.classList.toggle("stage", onStage);
    return () => document.documentElement.classList.remove("stage");
  }, [onStage]);
  return (
    <Palette>
      <div className={cx("flex h-full max-md:flex-col", onStage && "bg-canvas text-text")}>
        <a
          href="#content"
          className="absolute top-2 left-2 z-tooltip rounded-control bg-raised px-3 py-2 shadow-menu not-focus:sr-only"
        >
          {t("nav.skipToContent")}
        </a>
        <PageTitle />
        {isFullScreen ? null : isPhone ? (
          !bringsHeader && <TopBar chatPath={chatPath} />
        ) : (
          <Rail chatPath={chatPath} />
        )}
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {isStill ? (
            <FloatingBanners
              heightProperty="--banner-height"
              className={cx(
                "top-[calc(var(--head-height,56px)+var(--search-height,0px))]",
                !onStage && "md:left-60 lg:left-(--list-width,300px)",
              )}
            >
              <Banners />
            </FloatingBanners>
          ) : (
            <Banners />
          )}
          <AppBackground />
          <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 outline-none">
            <PageBoundary path={pathname} onStopped={setStopped}>
              <Suspense fallback={<div className="flex-1 bg-surface" />}>{children}</Suspense>
            </PageBoundary>
          </main>
        </div>
      </div>
    </Palette>
  );
}

/**
 * Prevents the browser from opening a file that is dropped outside a drop target, which would replace the
 * page.
 */
function useNoStrayDrops(): void {
  const refuse = (event: DragEvent): void => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  useWindowEvent("dragover", refuse);
  useWindowEvent("drop", refuse);
}
