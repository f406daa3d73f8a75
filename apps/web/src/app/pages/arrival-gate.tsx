import { isStarter, type ReadLink } from "@warren/core";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { NearbySection } from "../../nearby/nearby-section.tsx";
import { ArrivalPage } from "../../room/join/arrival-card.tsx";
import type { Invite } from "../../room/join/invite.ts";
import { OpenLinkContext } from "../../room/join/open-link.ts";
import { StartPage } from "../../room/join/start-page.tsx";
import { useRoomActions } from "../../room/use-room-actions.ts";
import { isHome, paths } from "../../wiring/paths.ts";
import { useRoom, useStore, useWarren } from "../../wiring/warren-context.tsx";
import { Banners } from "../shell/banners.tsx";
import { News } from "../shell/news.tsx";
import { answerLink } from "../startup/open-page.ts";
import { inviteOf } from "../startup/plan-startup.ts";
import type { Startup } from "../startup/use-startup.ts";

interface ArrivalGateProps {
  readonly startup: Startup;
  readonly children: ReactNode;
}

/** Shows the start or arrival page until the user is in a room or has local history to look at. */
export function ArrivalGate({ startup, children }: ArrivalGateProps) {
  const { plan, roomServers, tabStorage } = startup;
  const { profile, settings, invitations, chat, room: rooms } = useWarren();
  const { goTo, leave } = useRoomActions();
  const room = useRoom();
  const [pathname, navigate] = useLocation();
  /** The page shown before the app; null once the user has passed it. */
  const [page, setPage] = useState<"start" | "arrival" | null>(firstPage[plan.next]);
  const [invite, setInvite] = useState(plan.next === "ask" ? plan.invite : null);
  const hasPast = useStore(chat.store, ({ contacts, conversations }) =>
    [contacts, conversations].some((entries) => Object.keys(entries).some((id) => !isStarter(id))),
  );
  if (page !== null && room.status === "connected") setPage(null);
  // The page of the room shows why the join failed and how to fix it.
  if (page === "start" && room.status === "disconnected" && room.error !== null) setPage("arrival");

  const answer = (): void => {
    answerLink(tabStorage);
    setInvite(null);
  };
  /** The room of an invite, with the password it has here where the link names none. */
  const roomOf = ({ roomId, password }: Invite) => {
    const kept = chat.rooms.getState().find(({ id }) => id === roomId);
    return { roomId, password: password ?? kept?.password ?? null };
  };
  const accept = ({ roomId, newServers, by }: Invite, useServers: boolean): void => {
    if (by !== null) {
      invitations.pin(by);
      if (!chat.rooms.getState().some(({ id }) => id === roomId)) chat.noteRoom(roomId, { creator: by });
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
    await leave();
    if (rooms.store.getState().status === "connected") return;
    answer();
    setInvite(named);
    setPage("arrival");
    navigate(paths.home);
  };

  const arrived = room.status === "connected" || (page === null && hasPast);
  if (arrived || !isHome(pathname))
    return <OpenLinkContext value={(link) => void openLink(link)}>{children}</OpenLinkContext>;
  return (
    <OpenLinkContext value={(link) => void openLink(link)}>
      <div className="flex h-full flex-col">
        <Banners {...(invite !== null && { invitedTo: invite.roomId })} />
        {room.status === "nearby" && <News />}
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
              onDecline={() => {
                answer();
                setPage(firstPage[plan.next === "ask" ? plan.otherwise : "start"]);
              }}
            >
              {invite === null && <NearbySection />}
            </ArrivalPage>
          )}
        </div>
      </div>
    </OpenLinkContext>
  );
}

const firstPage = { start: "start", ask: "arrival", join: null, idle: null } as const;
