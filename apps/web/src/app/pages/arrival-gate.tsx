import { isStarter, keptTagOf, type ReadLink, readJoinLink } from "@warren/core";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { NearbySection } from "../../nearby/nearby-section.tsx";
import { ArrivalPage } from "../../room/join/arrival-card.tsx";
import { ElsewherePage } from "../../room/join/elsewhere-page.tsx";
import type { Invite } from "../../room/join/invite.ts";
import { OpenLinkContext } from "../../room/join/open-link.ts";
import { StartPage } from "../../room/join/start-page.tsx";
import { useElsewhere } from "../../room/join/use-elsewhere.ts";
import { useRoomActions } from "../../room/use-room-actions.ts";
import { isHome, paths } from "../../wiring/paths.ts";
import { useRoomStatus, useStore, useWarren } from "../../wiring/warren-context.tsx";
import { AppEffects } from "../shell/app-effects.tsx";
import { Banners } from "../shell/banners.tsx";
import { answerLink } from "../startup/open-page.ts";
import { inviteOf } from "../startup/plan-startup.ts";
import { notePageOfTab, readPageOfTab } from "../startup/room-of-tab.ts";
import type { Startup } from "../startup/use-startup.ts";

interface ArrivalGateProps {
  readonly startup: Startup;
  readonly children: ReactNode;
}

/** Shows the start or arrival page until the user is in a room or has local history to look at. */
export function ArrivalGate({ startup, children }: ArrivalGateProps) {
  const { plan, roomServers, tabStorage } = startup;
  const { profile, settings, invitations, chat, room } = useWarren();
  const { goTo, leave, join } = useRoomActions();
  const status = useRoomStatus();
  const hasFailed = useStore(room.store, (room) => room.status === "disconnected" && room.error !== null);
  const [pathname, navigate] = useLocation();
  /** The page shown before the app; null once the user has passed it. */
  const [page, setPage] = useState<"start" | "arrival" | null>(firstPage[plan.next]);
  const [invite, setInvite] = useState(plan.next === "ask" ? plan.invite : null);
  /** What happens if the invite is declined. */
  const [otherwise, setOtherwise] = useState(plan.next === "ask" ? plan.otherwise : "start");
  const hasPast = useStore(chat.store, ({ contacts, conversations }) =>
    [contacts, conversations].some((entries) => Object.keys(entries).some((id) => !isStarter(id))),
  );
  const isInRoom = status === "connected";
  if (page !== null && isInRoom) setPage(null);
  // The page of the room shows why the join failed and how to fix it.
  if (page === "start" && hasFailed) setPage("arrival");

  useEffect(() => {
    if (isInRoom) notePageOfTab(tabStorage, pathname);
  }, [isInRoom, tabStorage, pathname]);
  const elsewhere = useElsewhere();
  useReopenedLink();

  const answer = (): void => {
    answerLink(tabStorage);
    setInvite(null);
  };
  /** The room of an invite, with the password it has here where the link names none. */
  const roomOf = ({ roomId, password }: Invite) => {
    const kept = chat.rooms.getState().find(({ id }) => id === roomId);
    return { roomId, password: password ?? kept?.password ?? null };
  };
  const accept = (invite: Invite, useServers: boolean): void => {
    const { roomId, newServers, by } = invite;
    if (by !== null) {
      invitations.pin(by);
      const room = roomOf(invite);
      const tag = keptTagOf(room);
      if (!chat.rooms.getState().some((kept) => kept.tag === tag)) chat.noteRoom(room, { creator: by });
    }
    if (newServers !== null && useServers) roomServers.allow(roomId, newServers);
  };
  const openLink = async (link: ReadLink): Promise<void> => {
    const named = inviteOf(link, profile.get(), settings.get().servers);
    if (named.newServers === null) {
      await goTo(roomOf(named), () => {
        answer();
        accept(named, false);
      });
      return;
    }
    // The page that asks about the servers is outside of a room.
    const wasInRoom = room.store.getState().status === "connected";
    await leave();
    if (room.store.getState().status === "connected") return;
    answer();
    if (wasInRoom) setOtherwise("join");
    setInvite(named);
    setPage("arrival");
    navigate(paths.home.href);
  };

  const decline = (): void => {
    answer();
    setPage(firstPage[otherwise]);
    if (otherwise !== "join") return;
    navigate(readPageOfTab(tabStorage) ?? paths.home.href);
    void join();
  };
  const arrived = isInRoom || (page === null && hasPast);
  if (arrived || !isHome(pathname))
    return <OpenLinkContext value={(link) => void openLink(link)}>{children}</OpenLinkContext>;
  if (elsewhere !== null && invite === null) return <ElsewherePage roomId={elsewhere} />;
  return (
    <OpenLinkContext value={(link) => void openLink(link)}>
      <div className="flex h-full flex-col">
        <Banners {...(invite !== null && { invitedTo: invite.roomId })} />
        {status === "nearby" && <AppEffects />}
        <div className="min-h-0 flex-1 overflow-y-auto">
          {page === "start" ? (
            <StartPage>
              <NearbySection />
            </StartPage>
          ) : (
            <ArrivalPage
              invite={invite}
              onAccept={({ roomId, useServers }) => {
                // The join form may have changed the room; the link's settings apply only to its own room.
                if (invite?.roomId === roomId) {
                  profile.update(roomOf(invite));
                  accept(invite, useServers);
                }
                answer();
              }}
              onDecline={decline}
            >
              {invite === null && <NearbySection />}
            </ArrivalPage>
          )}
        </div>
      </div>
    </OpenLinkContext>
  );
}

/**
 * Opening the link of the room one is in, in its own tab, changes nothing but the fragment, which leaves the address again.
 * With another password or other servers it is opened as any link.
 */
function useReopenedLink(): void {
  const { profile, settings } = useWarren();
  useEffect(() => {
    const listening = new AbortController();
    const reopen = (): void => {
      const link = readJoinLink(location.href);
      if (!link.isLink) return;
      const { roomId, password, newServers } = inviteOf(link, profile.get(), settings.get().servers);
      const own = profile.get();
      if (roomId === own.roomId && password === own.password && newServers === null)
        history.replaceState(history.state, "", link.cleanAddress);
      else location.reload();
    };
    window.addEventListener("hashchange", reopen, { signal: listening.signal });
    return () => listening.abort();
  }, [profile, settings]);
}

const firstPage = { start: "start", ask: "arrival", join: null, idle: null } as const;
