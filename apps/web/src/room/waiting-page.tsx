import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Passage } from "../brand/passage.tsx";
import { useT } from "../i18n/use-t.ts";
import { OwnAvatar } from "../people/person-avatar.tsx";
import { StatusDot } from "../people/status-dot.tsx";
import { useHeightProperty } from "../ui/hooks/use-height-property.ts";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { LockIcon, MoreIcon } from "../ui/icons.ts";
import { Menu } from "../ui/overlays/menu.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { useProfile, useRoom } from "../wiring/warren-context.ts";
import { QrCode } from "./link/qr-code.tsx";
import { RoomLink, ShareTurnChoice } from "./link/room-link.tsx";
import { useJoinLink } from "./link/use-join-link.ts";
import { LocalNetworkHint } from "./local-network-hint.tsx";
import { RoomMenuItems } from "./room-menu.tsx";
import { useRoomName } from "./room-name.ts";

/** The pane of an empty room: the ways to invite somebody. Beside the list, that has the room's header. */
export default function WaitingPage({ footer }: { readonly footer: ReactNode }) {
  const isPhone = useBreakpoint() === "phone";
  useLayoutEffect(() => {
    if (isPhone) return;
    const { style } = document.documentElement;
    // Banners lie at its top.
    style.setProperty("--head-height", "0px");
    return () => void style.removeProperty("--head-height");
  }, [isPhone]);
  return (
    <section className="picture-window flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      {isPhone && <RoomHeader />}
      <WaitingPanel />
      {footer}
    </section>
  );
}

/** Shown while alone in a room: the link, in every form that can be shared. */
function WaitingPanel() {
  const t = useT();
  const profile = useProfile();
  const [withTurn, setWithTurn] = useState(false);
  const link = useJoinLink({ withTurn });
  return (
    // At one height, whether the composer's code has arrived or not.
    <div className="flex min-h-0 min-w-0 flex-1 overflow-y-auto px-4 pt-[calc(24px+var(--banner-height,0px))] pb-6 md:pt-[7dvh] md:pb-8">
      <section className="on-picture mx-auto h-fit w-full min-w-0 max-w-[760px] @container [--picture-inset:20px]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 @min-[600px]:grid-cols-[minmax(0,1fr)_auto]">
          <div>
            <Passage
              from={<OwnAvatar size={44} />}
              opening={44}
              // A window as low as a phone on its side has space for the link, not for an ornament over it.
              className="mb-6 max-md:hidden [@media(max-height:32rem)]:hidden"
            />
            <h1 className="text-title-lg">{t("waiting.title")}</h1>
            <p className="mt-1.5 text-body-lg text-text-2">{t("waiting.line")}</p>
          </div>
          <div>
            <RoomLink link={link} isLarge />
            <ShareTurnChoice checked={withTurn} onChange={setWithTurn} />
            <p className="mt-4 text-meta text-text-2">
              {profile.password === null ? t("waiting.anyone") : t("waiting.anyonePassword")}
            </p>
            <LocalNetworkHint className="mt-3" />
          </div>
          <QrCode
            text={link}
            className="mx-auto self-start max-md:w-56 @min-[600px]:col-start-2 @min-[600px]:row-span-3 @min-[600px]:row-start-1"
          />
          <NextSteps />
        </div>
      </section>
    </div>
  );
}

/** What happens once the link was sent; its last step is the one we are in. */
function NextSteps() {
  const t = useT();
  const room = useRoom();
  const isReady = room.status === "connected" && room.signalling === "online";
  return (
    <ol className="flex list-none flex-col gap-2.5 self-end border-line border-t pt-5 text-compact text-text-2">
      <Step mark={<StepNumber>1</StepNumber>}>{t("waiting.stepOpen")}</Step>
      <Step mark={<StepNumber>2</StepNumber>}>{t("waiting.stepJoin")}</Step>
      <Step mark={isReady ? <StatusDot status="online" /> : <Spinner className="text-accent" />}>
        <span role="status">{t(isReady ? "waiting.connected" : "waiting.connecting")}</span>
      </Step>
    </ol>
  );
}

function Step({ mark, children }: { readonly mark: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="flex gap-2.5">
      <span className="flex size-5 shrink-0 items-center justify-center">{mark}</span>
      <span className="min-w-0 pt-px">{children}</span>
    </li>
  );
}

function StepNumber({ children }: { readonly children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className="flex size-5 items-center justify-center rounded-full bg-sunken font-medium text-micro"
    >
      {children}
    </span>
  );
}

function RoomHeader() {
  const t = useT();
  const { password } = useProfile();
  const name = useRoomName();
  const menu = useRef<HTMLDivElement>(null);
  // A toast lies over the name, and leaves the square button and the heading below free.
  useHeightProperty(menu, "--toast-beside", 8);
  return (
    <header className="flex h-14 shrink-0 items-center gap-3 border-b border-line bg-surface px-4">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-heading-sm">
          <span className="truncate">{name}</span>
          {password !== null && (
            <>
              <LockIcon size={14} className="stroke-[1.75] text-text-2" />
              <span className="sr-only">{t("people.locked")}</span>
            </>
          )}
        </p>
      </div>
      <div ref={menu} className="flex shrink-0">
        <Menu trigger={<IconButton icon={MoreIcon} label={t("people.roomMenu")} />}>
          <RoomMenuItems inList={false} />
        </Menu>
      </div>
    </header>
  );
}
