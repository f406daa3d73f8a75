import { localTagOf, type ReadLink, readJoinLink } from "@warren/core";
import { useEffect, useLayoutEffect, useReducer } from "react";
import { useLocation } from "wouter";
import type { ArrivalCardProps } from "../../room/arrival/arrival-card.tsx";
import type { Invite } from "../../room/join/invite.ts";
import { useShowRoom } from "../../room/room-address.ts";
import { useRoomActions } from "../../room/use-room-actions.ts";
import { useWindowEvent } from "../../ui/hooks/use-window-event.ts";
import { paths } from "../../wiring/paths.ts";
import { useRoomStatus, useStore, useWarren } from "../../wiring/warren-context.ts";
import { inviteOf } from "../startup/plan-startup.ts";
import { readPageOfTab, storePageOfTab } from "../startup/room-of-tab.ts";
import { answerLink } from "../startup/startup-storage.ts";
import type { Startup } from "../startup/use-startup.ts";
import { firstPage, type GatePage, nextPage, otherwiseOf } from "./gate-page.ts";

interface Gate {
  readonly page: GatePage;
  /** Opens the room of a link, after asking about the servers it names. */
  readonly openLink: (link: ReadLink) => void;
  readonly accept: NonNullable<ArrivalCardProps["onAccept"]>;
  readonly decline: () => void;
}

/** Which page is shown before the app, and what becomes of an invite. */
export function useGatePage({ plan, roomServers, tabStorage }: Startup): Gate {
  const { profile, settings, invitations, chat, room } = useWarren();
  const { goTo, leave, join } = useRoomActions();
  const showRoom = useShowRoom();
  const isInRoom = useRoomStatus() === "connected";
  const hasFailed = useStore(room.store, (room) => room.status === "disconnected" && room.error !== null);
  const [pathname, navigate] = useLocation();
  const [page, dispatch] = useReducer(nextPage, plan, firstPage);
  const isStart = page.kind === "start";
  useLayoutEffect(() => {
    if (isInRoom) dispatch({ type: "joined" });
    else if (hasFailed && isStart) dispatch({ type: "join-failed" });
  }, [isInRoom, hasFailed, isStart]);
  useEffect(() => {
    if (isInRoom) storePageOfTab(tabStorage, pathname);
  }, [isInRoom, tabStorage, pathname]);
  useReopenedLink();

  /** The room of an invite, with the password it has here where the link names none. */
  const roomOf = ({ roomId, password }: Invite) => {
    const visited = chat.rooms.getState().find(({ id }) => id === roomId);
    return { roomId, password: password ?? visited?.password ?? null };
  };
  const answer = (): void => {
    answerLink(tabStorage);
    dispatch({ type: "answered" });
  };
  const applyInvite = (invite: Invite, useServers: boolean): void => {
    const { roomId, newServers, by } = invite;
    if (by !== null) {
      invitations.pin(by);
      const room = roomOf(invite);
      const tag = localTagOf(room);
      if (!chat.rooms.getState().some((visited) => visited.tag === tag))
        chat.updateRoom(room, { creator: by });
    }
    if (newServers !== null && useServers) roomServers.allow(roomId, newServers);
  };
  const openLink = async (link: ReadLink): Promise<void> => {
    const invite = inviteOf(link, profile.get(), settings.get().servers);
    if (invite.newServers === null) {
      await goTo(roomOf(invite), () => {
        answer();
        applyInvite(invite, false);
      });
      return;
    }
    // The page that asks about the servers is outside of a room.
    const wasInRoom = room.store.getState().status === "connected";
    await leave();
    if (room.store.getState().status === "connected") return;
    answerLink(tabStorage);
    dispatch({ type: "invited", invite, wasInRoom });
    navigate(paths.home.href);
  };

  return {
    page,
    openLink: (link) => void openLink(link),
    accept: ({ roomId, useServers }) => {
      // The join form may have changed the room; the link's settings apply only to its own room.
      if (page.kind === "ask" && page.invite?.roomId === roomId) {
        profile.update(roomOf(page.invite));
        applyInvite(page.invite, useServers);
      }
      answer();
      // With the join, not after it: that would render the page once more.
      showRoom(roomId);
    },
    decline: () => {
      answerLink(tabStorage);
      dispatch({ type: "declined" });
      if (otherwiseOf(page) !== "join") return;
      navigate(readPageOfTab(tabStorage) ?? paths.home.href);
      void join();
    },
  };
}

/**
 * Opening the link of the room one is in, in its own tab, changes nothing but the fragment, which leaves the address again.
 * With another password or other servers it is opened as any link.
 */
function useReopenedLink(): void {
  const { profile, settings } = useWarren();
  useWindowEvent("hashchange", () => {
    const link = readJoinLink(location.href);
    if (!link.isLink) return;
    const { roomId, password, newServers } = inviteOf(link, profile.get(), settings.get().servers);
    const own = profile.get();
    if (roomId === own.roomId && password === own.password && newServers === null)
      history.replaceState(history.state, "", link.cleanAddress);
    else location.reload();
  });
}
