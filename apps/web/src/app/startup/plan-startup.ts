import { type Profile, type ReadLink, type Servers, serversBeyond } from "@warren/core";
import type { Invite } from "../../room/join/invite.ts";

/** What is known when the page opens. */
export interface StartupSituation {
  readonly link: ReadLink;
  /** `clientId` is missing until the identity is read; it only decides who created an invite. */
  readonly profile: Omit<Profile, "clientId"> & Partial<Pick<Profile, "clientId">>;
  /** The servers from the settings. */
  readonly ownServers: Servers;
  /** Whether this browser has joined a room before. */
  readonly known: boolean;
  /** The room this tab was in when it was last closed or reloaded. */
  readonly roomOfTab: string | null;
}

/**
 * How the page opens: `start` shows the start page, `join` joins the stored room, `idle` leaves joining to
 * the user, and `ask` shows the arrival page of a link, with `otherwise` as the plan for a refusal: back to the room that
 * this tab was in.
 */
export type StartupPlan =
  | { readonly next: "start" | "join" | "idle" }
  | { readonly next: "ask"; readonly invite: Invite; readonly otherwise: "start" | "join" | "idle" };

/**
 * Decides how the page opens. Any site can open a link here and hide that it did, so a link alone
 * joins only the room that was joined here before, with the password it had and the servers in use.
 */
export function planStartup({ link, profile, ownServers, known, roomOfTab }: StartupSituation): StartupPlan {
  const invite = inviteOf(link, profile, ownServers);
  // Earlier versions stored the room of an opened link unconfirmed.
  const isConfirmed =
    invite.roomId === profile.roomId && invite.password === profile.password && !profile.initialJoin;
  const isInRoom = roomOfTab === profile.roomId && !profile.initialJoin;
  const namesRoom = link.roomId !== null || link.password !== null || profile.initialJoin;
  if (invite.newServers !== null || (namesRoom && !(known && isConfirmed)))
    return { next: "ask", invite, otherwise: !known ? "start" : isInRoom ? "join" : "idle" };
  if (!known) return { next: "start" };
  // A reload does not leave the room: running transfers resume.
  const joins = link.join || profile.autoJoin || isInRoom;
  return { next: joins ? "join" : "idle" };
}

/** The invite of a link; missing parts come from the profile. */
export function inviteOf(link: ReadLink, profile: StartupSituation["profile"], ownServers: Servers): Invite {
  const roomId = link.roomId ?? profile.roomId;
  const fresh = serversBeyond(ownServers, link.servers);
  return {
    roomId,
    // A link to another room states its password in full; one to the stored room may omit it.
    password: link.password ?? (roomId === profile.roomId ? profile.password : null),
    passwordFromLink: link.password !== null,
    newServers: fresh.stuns.length + fresh.turns.length > 0 ? fresh : null,
    by: link.by === profile.clientId ? null : link.by,
  };
}
